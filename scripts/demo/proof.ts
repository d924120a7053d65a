/**
 * Verifies everything in the journal that can be verified by anyone, with node:crypto and none of the node's code:
 * events are signed for this journal by the DID that they state, payloads match the signed hash, entries and signers'
 * events are chained (docs/reference/journal-format.md).
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Entry, MachineState } from '../../packages/client/src/index.js';

const sha256 = (...parts: (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

/** RFC 8785 form of a result of JSON.parse: sorted members, no white space. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function fromBase58(text: string, length: number): Buffer {
  let number = 0n;
  for (const digit of text) number = number * 58n + BigInt(alphabet.indexOf(digit));
  return Buffer.from(number.toString(16).padStart(length * 2, '0'), 'hex');
}

/** The Ed25519 key inside `did:svc:z…`: base58btc of 0xed 0x01 and 32 bytes. */
function keyOf(did: string) {
  const raw = fromBase58(did.slice('did:svc:z'.length), 34).subarray(2);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  return { hex: raw.toString('hex'), key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

/** The signature's 64 bytes; none for a text that is not the base64url of them. */
function signatureOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 64 && bytes.toString('base64url') === text ? bytes : Buffer.alloc(0);
}

/** The value with references in the place of texts; undefined if a text is not that of its reference. */
export function referring(value: unknown, leaves: NonNullable<Entry['leaves']>, pointer = ''): unknown {
  const found = leaves[pointer];
  if (found) {
    const { leaf, size, salt = '', erased } = found;
    const isSigned = erased ? value === null : sha256(Buffer.from(salt, 'hex'), canonical(value)) === leaf;
    return isSigned ? { leaf, size } : undefined;
  }
  if (typeof value !== 'object' || value === null) return value;
  const below = (name: string, member: unknown) =>
    referring(member, leaves, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  if (Array.isArray(value)) return value.map((element, index) => below(String(index), element));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, below(name, member)]));
}

type Shown = Pick<Entry, 'leaves' | 'confidential' | 'salt' | 'sealed'>;

/** What was hashed of an input or a context: public members, and the salted hash of the others. */
function hashed(value: unknown, { leaves = {}, confidential, salt, sealed }: Shown) {
  const members = Object.entries(referring(value, leaves) as object);
  const those = (isWanted: boolean) =>
    Object.fromEntries(members.filter(([name]) => (confidential?.includes(name) ?? false) === isWanted));
  const hidden = confidential ? sha256(`svc:sealed:v1:${salt}:${canonical(those(true))}`) : (sealed ?? null);
  return { open: those(false), sealed: hidden };
}

function payloadHashOf(entry: Entry): string {
  const { open, sealed } = hashed(entry.payload!.input, entry);
  return sha256(canonical({ public: { ...entry.payload, input: open }, sealed }));
}

/** The `stateHash` of a state as the API shows it. */
export function stateHashOf({ context, state, ...shown }: MachineState): string {
  const { open, sealed } = hashed(context, shown);
  return sha256(canonical({ context: open, sealed, state }));
}

/** The violation in an entry by itself, or undefined. */
export function violationOf(entry: Entry): string | undefined {
  const { seq, event, payload, prevEntry, entryHash, chainHash } = entry;
  const { hash, sig, ...body } = event;
  const signer = keyOf(event.issuer);
  const text = canonical(body);
  if (sha256(text) !== hash) return 'its hash is not that of its body';
  if (signer.hex !== event.pub) return 'its public key is not that of its issuer';
  const message = `svc:event:v3:${Buffer.byteLength(text) > 1_024 ? sha256(text) : text}`;
  if (!verify(null, Buffer.from(message), signer.key, signatureOf(sig))) return 'its signature does not verify';
  const { home, time, law, versions, reads, accounts, moves, postings, idem } = entry;
  const core = { v: 2, event, home, time, law, versions, reads, accounts, moves, postings, idem };
  if (sha256(canonical(core)) !== entryHash) return 'its entry hash is not that of the entry';
  if (payload && payloadHashOf(entry) !== event.payloadHash) return 'its payload is not what was signed';
  return sha256(`svc:journal:v1:${seq}:${prevEntry}:${entryHash}`) === chainHash
    ? undefined
    : 'its chain hash is wrong';
}

/** Checks for which journal an event was signed. A journal has one home, whose own key signs its first event. */
export function violationOfHome({ event }: Entry, first: Entry): string | undefined {
  const { home, issuer, type } = first.event;
  if (type !== 'node.appointed' || issuer !== home || first.home !== home) return 'the journal has no first entry';
  return event.home === home ? undefined : 'it was signed for another home';
}

export class ChainWalk {
  readonly #isPart: boolean;
  #first: Entry | undefined;
  #before: Entry | undefined;
  readonly #signers = new Map<string, Entry['event']>();
  entries = 0;

  /** @param first entry 1, for a walk that does not begin with it: what signers have signed before is not checked then */
  constructor(first?: Entry) {
    this.#isPart = first !== undefined;
    this.#first = first;
  }

  violationOf(entry: Entry): string | undefined {
    const { event, seq, prevEntry } = entry;
    const before = this.#before;
    this.#first ??= entry;
    const earlier = this.#signers.get(event.issuer);
    this.#before = entry;
    this.#signers.set(event.issuer, event);
    this.entries += 1;
    const flaw = violationOf(entry) ?? violationOfHome(entry, this.#first);
    if (flaw) return `entry ${seq}: ${flaw}`;
    if (before && (seq !== before.seq + 1 || prevEntry !== before.chainHash)) {
      return `entry ${seq} does not follow entry ${before.seq}`;
    }
    const follows = event.nonce === (earlier?.nonce ?? 0) + 1 && event.prev === (earlier?.hash ?? null);
    return follows || (this.#isPart && !earlier) ? undefined : `entry ${seq} does not follow its signer's last event`;
  }
}
