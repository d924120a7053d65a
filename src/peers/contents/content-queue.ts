/**
 * Fetches contents before they are read: when an entry is adopted that writes a resource of another home with a party
 * that lives here. What waits is in memory only; a content that is missed is fetched when it is read.
 */
import { contentBounds } from '../../core/bounds.js';
import { type Environment, pauseUnless } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { isRefusal } from '../../core/refusal.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import { partiesOf } from '../../machines/kernel/visibility.js';
import { isWithheld } from '../../machines/kernel/withheld.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { Store } from '../../store/store.js';
import type { ContentFetcher } from './content-fetcher.js';
import { contentKind, namedContents } from './named-contents.js';

export interface ContentQueueOptions {
  readonly world: Environment;
  readonly catalogue: Catalogue;
  readonly fetcher: Pick<ContentFetcher, 'get'>;
  /** The copy of a home's journal. */
  readonly copyOf: (home: string) => Pick<Store, 'load' | 'contentPart'> | undefined;
  /** Whether the DID lives at this home. */
  readonly isResident: (did: string) => Promise<boolean>;
  readonly log: (message: string, detail: object) => void;
}

interface WaitingResource {
  readonly kind: string;
  readonly id: string;
}

export class ContentQueue {
  /** By home and resource. */
  readonly #waiting = new Map<string, Map<string, WaitingResource>>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(private readonly options: ContentQueueOptions) {}

  /** Call when entries of a home were adopted. */
  adopted(home: string, entries: readonly Pick<NumberedEntry, 'core'>[]): void {
    for (const { core } of entries) {
      for (const { kind, id } of core.versions) {
        if (contentKind(this.options.catalogue, kind)?.trade?.order) this.#add(home, { kind, id });
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running.values());
  }

  #add(home: string, resource: WaitingResource): void {
    const waiting = this.#waiting.get(home) ?? new Map<string, WaitingResource>();
    if (waiting.size >= contentBounds.waiting || this.#closing.signal.aborted) return;
    this.#waiting.set(home, waiting.set(`${resource.kind}/${resource.id}`, resource));
    if (!this.#running.has(home)) this.#running.set(home, this.#run(home, waiting));
  }

  /** One at a time for each home. What the home does not send now is tried again after a moment. */
  async #run(home: string, waiting: Map<string, WaitingResource>): Promise<void> {
    const { world, log } = this.options;
    const { signal } = this.#closing;
    while (waiting.size > 0 && !signal.aborted) {
      const [name, resource] = waiting.entries().next().value!;
      try {
        if (await this.#fetched(home, resource)) waiting.delete(name);
        else await pauseUnless(signal, world, contentBounds.retryMs);
      } catch (error) {
        waiting.delete(name);
        log('a content of another home could not be fetched', { home, ...resource, error: messageOf(error) });
      }
    }
    this.#running.delete(home);
  }

  /** @returns whether nothing of the resource is left to be tried again */
  async #fetched(home: string, { kind, id }: WaitingResource): Promise<boolean> {
    const { catalogue, copyOf, fetcher } = this.options;
    const copy = copyOf(home);
    const load = copy?.load.bind(copy);
    const resource = await load?.(kind, id);
    if (!copy || !load || !resource || isWithheld(resource.context)) return true;
    if (!(await this.#hasParty(resource))) return true;
    for (const { hash } of await namedContents(catalogue, resource, load)) {
      if (await copy.contentPart(hash, 0, 1)) continue;
      const fetched = await fetcher.get(home, { kind, id, hash });
      if (isRefusal(fetched)) return fetched.code === 'NOT_FOUND';
    }
    return true;
  }

  async #hasParty({ kind, context }: { kind: string; context: Parameters<typeof partiesOf>[1] }): Promise<boolean> {
    const definition = contentKind(this.options.catalogue, kind)!;
    for (const did of partiesOf(definition, context)) if (await this.options.isResident(did)) return true;
    return false;
  }
}
