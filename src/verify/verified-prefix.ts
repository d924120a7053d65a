/**
 * What an audit has verified, for the next one (docs/auditing.md#what-an-audit-remembers): the accounts and resources
 * after an entry, in a file of the data directory whose last line is a statement that the node's key has signed.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { canonical, hashOf } from '../core/canonical.js';
import { publicKeyOf } from '../core/codecs/did.js';
import { signedMessage } from '../core/codecs/event-message.js';
import { verify } from '../core/codecs/signature-check.js';
import { replaceFile } from '../core/durable-file.js';
import { beat } from '../core/threads.js';
import { version } from '../core/version.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import { definitionVersion } from '../machines/kernel/versioning.js';
import { entryAt, type StoreReader } from '../store/store.js';
import { Replay, type ReplayState } from './replay.js';

/** What the node says: it has verified the entries up to this one, and their outcome is this state. */
export interface VerifiedPrefix {
  readonly v: 1;
  readonly type: 'verified-prefix';
  /** DID of the home, whose key signs. */
  readonly node: string;
  readonly network: string;
  /** Version of the program that has verified, and a hash of its definition versions: another one verifies anew. */
  readonly program: string;
  readonly seq: number;
  readonly chainHash: string;
  /** SHA-256 of the lines before the statement, hex. */
  readonly state: string;
}

/** The node's key, perhaps in another thread. */
export interface PrefixSigner {
  readonly did: string;
  sign(text: string): string | Promise<string>;
}

const purpose = 'svc:verified:v1';

/** Whether a text that is to be signed is that of a verified prefix. */
export const isOfPrefix = (text: string): boolean => text.startsWith(`${purpose}:`);

const textOf = (prefix: VerifiedPrefix): string => signedMessage(purpose, canonical(prefix));

const name = 'audited';
const linesAtOnce = 1_000;

export interface PrefixFileOptions {
  readonly dir: string;
  readonly network: string;
  readonly catalogue: Catalogue;
  /** Absent: what is verified is not remembered. */
  readonly signer?: PrefixSigner | undefined;
}

export class PrefixFile {
  readonly #file: string;

  constructor(private readonly options: PrefixFileOptions) {
    this.#file = join(options.dir, name);
  }

  /**
   * The replay after the entries that an earlier audit has verified; undefined if the node's key has not signed it, for this
   * journal and by this program.
   */
  async read(store: Pick<StoreReader, 'entries'>): Promise<Replay | undefined> {
    const { network, catalogue } = this.options;
    const replay = new Replay(catalogue, network);
    try {
      const { state, last } = await this.#lines((line) => replay.take(JSON.parse(line) as ReplayState));
      const { sig, ...prefix } = JSON.parse(last) as VerifiedPrefix & { readonly sig: string };
      const { home: node = '', head } = replay;
      const expected = {
        ...head,
        v: 1,
        type: 'verified-prefix',
        node,
        network,
        program: this.#program(),
        state,
      } as const;
      if (canonical(prefix) !== canonical(expected) || !verify(publicKeyOf(node), textOf(prefix), sig))
        return undefined;
      const [first, newest] = await Promise.all([entryAt(store, 1), entryAt(store, head.seq)]);
      return first?.core.event.home === node && newest?.chainHash === head.chainHash ? replay : undefined;
    } catch {
      return undefined; // there is no file, or one that is damaged: everything is verified
    }
  }

  /** Remembers a replay, if the key of the journal's home can sign. */
  async keep(replay: Replay): Promise<void> {
    const { network, signer } = this.options;
    if (signer === undefined || signer.did !== replay.home) return;
    const digest = createHash('sha256');
    const [parts, program] = [replay.state(), this.#program()];
    async function* content(): AsyncGenerator<string> {
      for (let lines = some(parts); lines !== ''; lines = some(parts)) {
        beat();
        digest.update(lines);
        yield lines;
      }
      const state = digest.digest('hex');
      const node = signer!.did;
      const prefix = { v: 1, type: 'verified-prefix', node, network, program, ...replay.head, state } as const;
      yield JSON.stringify({ ...prefix, sig: await signer!.sign(textOf(prefix)) });
    }
    await replaceFile(this.#file, content());
  }

  async forget(): Promise<void> {
    await rm(this.#file, { force: true });
  }

  #program(): string {
    const versions = Object.values(this.options.catalogue.definitions).map(definitionVersion);
    return `${version} ${hashOf(versions.sort())}`;
  }

  /** Calls `take` with each line but the last. @returns the last, and the hash of the others */
  async #lines(take: (line: string) => void): Promise<{ readonly state: string; readonly last: string }> {
    const digest = createHash('sha256');
    let last: string | undefined;
    for await (const line of createInterface({ input: createReadStream(this.#file) })) {
      if (last !== undefined) {
        digest.update(`${last}\n`);
        take(last);
        beat();
      }
      last = line;
    }
    return { state: digest.digest('hex'), last: last ?? '' };
  }
}

function some(parts: Iterator<ReplayState>): string {
  let lines = '';
  for (let index = 0; index < linesAtOnce; index++) {
    const next = parts.next();
    if (next.done) break;
    lines += `${JSON.stringify(next.value)}\n`;
  }
  return lines;
}
