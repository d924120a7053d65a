/**
 * Decides what one home may read of our journal: payloads that only parties may read go to the homes where a party
 * lives. Other homes get the entry's core, and the new state of the resources that everyone may read
 * (docs/decisions/0031).
 */
import { LRUCache } from 'lru-cache';
import type { Did } from '../../core/codecs/did.js';
import type { Resource } from '../../machines/kernel/definition.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import { mayReadPayload, mayReadState, partiesOf } from '../../machines/kernel/visibility.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { FeedEntry, Revealed } from '../replica/replica.js';

export interface DisclosureSource {
  readonly catalogue: Catalogue;
  /** The newest durable state of a resource, or its state at `version` if that is still known. */
  resource(kind: string, id: string, version?: number): Promise<Resource | undefined>;
  /**
   * Whether the DID lives at the home: it has signed an event there, or has moved there.
   * @param time of the entry that the home would read: a home that the DID has left keeps what was written before
   */
  isResident(home: Did, did: string, time?: number): Promise<boolean>;
}

/** Resources that are remembered as known to the follower. The state of a forgotten one is sent once more. */
const rememberedResources = 10_000;

/** What one stream has sent to one home. */
export class FeedDisclosure {
  /** Resources whose whole state the follower has, as far as this stream knows. */
  readonly #whole = new LRUCache<string, true>({
    // Not `max`, which would allocate memory for all of them at the start of each stream.
    maxSize: rememberedResources,
    sizeCalculation: () => 1,
  });

  constructor(
    private readonly source: DisclosureSource,
    private readonly home: Did,
  ) {}

  /** The entry as this home may read it. Must be called in the order of the journal. */
  async shown(entry: NumberedEntry): Promise<FeedEntry> {
    const { core, payload } = entry;
    const { time } = core;
    const isGiven = payload !== null && (await this.#mayReadPayload(entry));
    if (isGiven && this.#isExecutable(entry)) {
      for (const { kind, id } of core.versions) this.#whole.set(`${kind}/${id}`, true);
      return { entry };
    }
    const revealed: Revealed[] = [];
    for (const { kind, id, version } of core.versions) {
      const resource = await this.source.resource(kind, id, version);
      const ref = `${kind}/${id}`;
      if (resource?.version === version && (await this.#isOpen(resource, time))) {
        revealed.push({ kind, id, state: resource.state, context: resource.context });
        this.#whole.set(ref, true);
      } else this.#whole.delete(ref);
    }
    const shown = isGiven ? entry : { ...entry, payload: null, payloadText: null };
    return revealed.length > 0 ? { entry: shown, revealed } : { entry: shown };
  }

  /** Whether the follower has everything that the step reads. */
  #isExecutable({ core, payload }: NumberedEntry): boolean {
    for (const { kind, id, version } of core.versions)
      if (version > 1 && !this.#whole.get(`${kind}/${id}`)) return false;
    for (const { kind, id, version } of core.reads)
      if (version > 0 && kind !== 'node' && !this.#whole.get(`${kind}/${id}`)) return false;
    return payload !== null;
  }

  async #mayReadPayload({ payload, core }: NumberedEntry): Promise<boolean> {
    if (!payload) return false;
    const { catalogue } = this.source;
    const definition = catalogue.definitions[payload.kind];
    if (definition?.form !== 'machine' || !(definition.isVisibleTo || definition.payloadReaders)) return true;
    const resource = await this.source.resource(payload.kind, payload.id);
    if (!resource) return false;
    const readers = await this.#readers(definition, resource, core.time);
    return readers.some((reader) => mayReadPayload(definition, payload, resource.context, reader));
  }

  /** Whether the home may read the whole state. A companion projection has the readers of its resource. */
  async #isOpen(resource: Resource, time: number): Promise<boolean> {
    const { catalogue } = this.source;
    const definition = catalogue.definitions[resource.kind];
    if (definition?.form === 'machine') {
      if (!definition.isVisibleTo && (!definition.payloadReaders || definition.openPayloads)) return true;
      const readers = await this.#readers(definition, resource, time);
      return readers.some((reader) => mayReadState(definition, resource.context, reader));
    }
    for (const each of Object.values(catalogue.definitions)) {
      if (each.form !== 'machine' || each.companion !== resource.kind) continue;
      const owner = await this.source.resource(each.kind, resource.id);
      if (owner && !(await this.#isOpen(owner, time))) return false;
    }
    return true;
  }

  /** The public (`undefined`), and those parties that live at the home, or have left it after the time of the entry. */
  async #readers(definition: AnyResource, { context }: Resource, time: number): Promise<(string | undefined)[]> {
    const isResident = (home: Did, did: string) => this.source.isResident(home, did, time);
    return [undefined, ...(await partiesAt(this.home, partiesOf(definition, context), { isResident }))];
  }
}

/** Those that live at the home. */
export async function partiesAt(
  home: Did,
  parties: ReadonlySet<string>,
  { isResident }: Pick<DisclosureSource, 'isResident'>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const did of parties) if (await isResident(home, did)) found.push(did);
  return found;
}
