/** Requests of callers who keep their key in a file (docs/signing.md#on-the-command-line). */
import { ApiError } from '../../../packages/client/src/errors.js';
import type { Http } from '../../../packages/client/src/http.js';
import type { HeldKey } from '../../../packages/client/src/signing/key.js';
import { type Outbox, type SignedWrite, tenMinutes } from '../../../packages/client/src/signing/key-writes.js';
import { UnexpectedPayload } from '../../../packages/client/src/signing/prepared.js';
import type { WriteOptions } from '../../../packages/client/src/write-options.js';
import { Writes } from '../../../packages/client/src/writes.js';
import { parseAccount } from '../../core/codecs/address.js';
import { realEnvironment } from '../../core/environment.js';
import type { KeyFile } from '../../keys/keyfile.js';
import type { Config } from '../../node/config/config.js';
import { CommandFailed } from '../failure.js';
import { keyFileAt, openKey } from '../key/key-file.js';
import type { KeyOutbox } from '../key/outbox.js';
import { note, timeText } from '../output.js';
import { readPassphrase } from '../passphrase.js';
import type { CommandField } from './fields.js';

export interface OwnKeyOptions {
  readonly signingKey: string;
  readonly passphraseFile?: string;
  readonly home?: string;
  readonly networkArbiter?: string;
}

export interface OwnKey {
  readonly path: string;
  readonly file: KeyFile;
  readonly key: HeldKey;
}

/** @param stated the DID that is to sign, if the caller names one */
export async function ownKey(
  { signingKey: path, passphraseFile }: OwnKeyOptions,
  config: Config,
  stated: unknown,
): Promise<OwnKey> {
  const file = await keyFileAt(path, stated);
  const prompt = `Passphrase of ${path}`;
  const passphrase = await readPassphrase({ prompt, file: passphraseFile, config });
  return { path, file, key: await openKey(file, passphrase) };
}

/** Reads, decrypts and writes with the key. */
export async function writesWith(
  http: Http,
  { file, key }: OwnKey,
  { home, networkArbiter }: Partial<OwnKeyOptions>,
  outbox?: Outbox,
): Promise<Writes> {
  const more = { network: file.network, networkArbiter, outbox };
  const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
  const writes = new Writes(http, { key, ...given });
  return home === undefined ? writes : writes.at(home, {});
}

/** Accounts as the node writes them into what is signed. */
export function canonicalForms<T extends { readonly [name: string]: unknown }>(
  fields: readonly CommandField[],
  body: T,
): T {
  const members = fields.flatMap(({ name, isDid }) => {
    const value = body[name];
    return isDid && typeof value === 'string' ? [[name, parseAccount(value) ?? value]] : [];
  });
  return { ...body, ...Object.fromEntries(members) };
}

interface OwnWrite {
  readonly path: string;
  /** Input and bounds. */
  readonly complete: (http: Http) => Promise<readonly [input: object, stated: WriteOptions]>;
  /** Hash of what the caller typed: the same again, after a lost answer, is not a second write. */
  readonly request: string;
}

export async function writeWithOwnKey(
  http: Http,
  own: OwnKey,
  options: Partial<OwnKeyOptions>,
  { path, complete, request }: OwnWrite,
): Promise<unknown> {
  const { KeyOutbox } = await import('../key/outbox.js');
  const place = `${own.path}.outbox`;
  const outbox = KeyOutbox.open(place, http.options.writeTimeoutMs);
  try {
    const writes = await writesWith(http, own, options, {
      put: async (write) => outbox.put(request, write),
      drop: async (write) => outbox.drop(write),
    });
    for (const left of outbox.left()) {
      const { issuer } = left.write.event;
      if (issuer !== own.key.did) throw new CommandFailed(`${place} keeps writes of ${issuer}: move it away`);
      const reply = await sendLeft(writes, left.write, outbox);
      if (reply === undefined || left.request !== request) continue;
      note('This is the answer to the same command, which was sent before: it was not made a second time.');
      return reply;
    }
    return await writes.signed(path, ...(await complete(writes.http)));
  } catch (error) {
    if (error instanceof UnexpectedPayload) throw new CommandFailed(`${error.message}: nothing was signed`);
    const { write } = error as { readonly write?: SignedWrite };
    if (write) note(`svc-node: ${place} keeps ${named(write)}: repeat the command, and it is made once.`);
    throw error;
  } finally {
    outbox.close();
  }
}

/** Sends what has no answer yet. @returns its reply; undefined if it was refused, or is for another home */
async function sendLeft(writes: Writes, write: SignedWrite, outbox: KeyOutbox): Promise<unknown> {
  const { home } = await writes.http.get<{ home: string }>('/node');
  if (home !== write.event.home) {
    note(
      `${named(write)} has no answer, and is for the home ${write.event.home}: it is sent with the next command there.`,
    );
    return undefined;
  }
  try {
    const reply = await writes.submitted(write);
    note(`${named(write)} had no answer: it is in the journal now.`);
    return reply;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if ('write' in error) {
      if (error.status >= 500 || error.status === 429 || !isDead(write)) throw error;
      outbox.drop(write);
      note(`${named(write)} can take effect no more, and no node said whether it did (${error.message}).`);
      return undefined;
    }
    const isIn = error.problem?.committed === true;
    note(
      `${named(write)} had no answer: ${isIn ? 'it is in the journal now' : `it was refused now (${error.message})`}.`,
    );
    return undefined;
  }
}

/** Whether no node takes it any more, even one whose clock is as wrong as it may be. */
const isDead = ({ event: { until = 0 } }: SignedWrite): boolean => realEnvironment.now() > until + tenMinutes;

const named = ({ event }: SignedWrite): string => `The write of ${timeText(event.ts)}, ${event.type} ${event.hash},`;
