/**
 * Verifies everything in the journal that can be verified by anyone, with node:crypto and none of the node's code:
 * events are signed by the DID that they state, payloads match the signed hash, entries and signers' events are
 * chained.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Entry } from '../../packages/client/src/index.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

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

/** The violation in an entry by itself, or undefined. */
export function violationOf({ seq, event, payload, salt, prevEntry, entryHash, chainHash }: Entry): string | undefined {
  const { hash, sig, ...body } = event;
  const signer = keyOf(event.issuer);
  if (sha256(canonical(body)) !== hash) return 'its hash is not that of its body';
  if (signer.hex !== event.pub) return 'its public key is not that of its issuer';
  if (!verify(null, Buffer.from(`svc:event:v1:${canonical(body)}`), signer.key, fromBase58(sig, 64))) {
    return 'its signature does not verify';
  }
  // A payload can be withheld or redacted; a visible one must match the signed hash.
  if (payload && sha256(canonical({ payload, salt })) !== event.payloadHash)
    return 'its payload is not what was signed';
  return sha256(`svc:journal:v1:${seq}:${prevEntry}:${entryHash}`) === chainHash
    ? undefined
    : 'its chain hash is wrong';
}

/**
 * Checks for which journal an event was signed. A journal has one home, that of its first event, and every event states
 * it. Events of version 1 have no home; once a journal has an event with a home, no more of them may follow.
 */
export function violationOfHome({ event }: Entry, first: Entry, before: Entry): string | undefined {
  if (event.v === 1) {
    return event.home === undefined && before.event.v === 1 ? undefined : 'it names no home, after events that do';
  }
  return event.home === (first.event.home ?? first.home) ? undefined : 'it was signed for another home';
}

export class ChainWalk {
  #first: Entry | undefined;
  #before: Entry | undefined;
  readonly #signers = new Map<string, Entry['event']>();
  entries = 0;

  violationOf(entry: Entry): string | undefined {
    const { event, seq, prevEntry } = entry;
    const before = this.#before;
    this.#first ??= entry;
    const earlier = this.#signers.get(event.issuer);
    this.#before = entry;
    this.#signers.set(event.issuer, event);
    this.entries += 1;
    const flaw = violationOf(entry) ?? violationOfHome(entry, this.#first, before ?? entry);
    if (flaw) return `entry ${seq}: ${flaw}`;
    if (before && (seq !== before.seq + 1 || prevEntry !== before.chainHash)) {
      return `entry ${seq} does not follow entry ${before.seq}`;
    }
    const follows = !earlier || (event.nonce === earlier.nonce + 1 && event.prev === earlier.hash);
    return follows ? undefined : `entry ${seq} does not follow its signer's last event`;
  }
}
