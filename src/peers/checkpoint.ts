/**
 * Checkpoints: the newest entry of a home's journal at one moment, signed by the home. A follower takes
 * entries only with a checkpoint that covers them, so that a home that shows two different journals has signed the
 * evidence against itself.
 * Signatures are Ed25519 in base64url over a prefix and the RFC 8785 form of the other members.
 */
import * as s from 'superstruct';
import { bounds } from '../core/bounds.js';
import { canonical } from '../core/canonical.js';
import { type Did, parseDid, publicKeyOf } from '../core/codecs/did.js';
import { verify } from '../core/codecs/signature-check.js';
import type { Signer } from '../keys/signing.js';
import { chainHashOf, noHash } from '../store/entry.js';
import type { JournalHead } from '../store/store.js';

/** A home's signed statement of where its journal ends. */
export interface Checkpoint {
  readonly home: Did;
  readonly network: string;
  /** Number of the newest entry; 0 for an empty journal. */
  readonly seq: number;
  /** Chain hash of that entry; 64 zeros for an empty journal. */
  readonly chainHash: string;
  /** The home's clock, epoch milliseconds. */
  readonly time: number;
  /** Reserved for a later version: the root of the state at an entry. Signed like the other members, and not read. */
  readonly root?: { readonly seq: number; readonly hash: string };
  readonly sig: string;
}

/**
 * The hash chain from one entry to a later one: the entry hashes lead from the chain hash of the first to that of the
 * last.
 */
export interface JournalLinks {
  /** Chain hash of the earlier entry. */
  readonly chainHash: string;
  /** Entry hashes of the entries after it, up to the later one. */
  readonly entryHashes: readonly string[];
}

/**
 * Two checkpoints of one home and network that can't both belong to one journal. If both have the same `seq`, their
 * chain hashes differ and the lower hash comes first. Otherwise the earlier comes first, and `links` start at an entry
 * with its number but another chain hash, and lead to the second.
 */
export interface EquivocationProof {
  readonly first: Checkpoint;
  readonly second: Checkpoint;
  readonly links?: JournalLinks;
}

const text = (name: string, pattern: RegExp): s.Struct<string, null> =>
  s.define<string>(name, (value) => typeof value === 'string' && pattern.test(value)) as s.Struct<string, null>;

/**
 * Checks the form alone. Whether the key is a valid point is checked with the signature, because that costs curve
 * arithmetic.
 */
const did = text('a DID', /^did:svc:z[1-9A-HJ-NP-Za-km-z]{44,47}$/);
const hash = text('64 lower-case hexadecimal digits', /^[0-9a-f]{64}$/);
const network = text('the name of a network', /^[a-z0-9-]{1,32}$/);
const signature = text('64 bytes in base64url', /^[A-Za-z0-9_-]{86}$/);
const number = (least: number): s.Struct<number, null> =>
  s.define<number>(
    `an integer from ${least}`,
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= least,
  ) as s.Struct<number, null>;

/** Rejects unknown members: two texts of one signature would otherwise count as two checkpoints. */
export const checkpointForm: s.Struct<Checkpoint> = s.refine(
  s.object({
    home: did,
    network,
    seq: number(0),
    chainHash: hash,
    time: number(0),
    root: s.optional(s.object({ seq: number(0), hash })),
    sig: signature,
  }),
  'checkpoint',
  ({ seq, chainHash }) => seq > 0 || chainHash === noHash || 'an empty journal has no chain hash',
) as unknown as s.Struct<Checkpoint>;

const entryHashes = s.define<readonly string[]>(
  `1 to ${bounds.equivocationLinks} hashes`,
  (value) =>
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= bounds.equivocationLinks &&
    value.every((each) => s.is(each, hash)),
);

export const equivocationForm: s.Struct<EquivocationProof> = s.object({
  first: checkpointForm,
  second: checkpointForm,
  links: s.optional(s.object({ chainHash: hash, entryHashes })),
}) as unknown as s.Struct<EquivocationProof>;

/** Parses strictly. @returns a sentence with the first error if the value has another form */
export function parseForm<T>(form: s.Struct<T>, value: unknown): T | string {
  const [failure, parsed] = s.validate(value, form);
  if (failure === undefined) return parsed as T;
  const where = failure.path.join('.');
  const what =
    failure.type === 'never' ? 'no such member' : failure.refinement ? failure.message : `not ${failure.type}`;
  return where === '' ? what : `${where}: ${what}`;
}

/** The text that the home's key signs. */
export const checkpointText = ({ home, network, seq, chainHash, time, root }: Omit<Checkpoint, 'sig'>): string =>
  `svc:checkpoint:v1:${canonical({ chainHash, home, network, root, seq, time })}`;

/** @param signer the home's own key @param at the network, and the home's clock in epoch milliseconds */
export function signCheckpoint(
  signer: Signer,
  { seq, chainHash }: JournalHead,
  at: { readonly network: string; readonly time: number },
): Checkpoint {
  const { network, time } = at;
  const body = { home: signer.did, network, seq, chainHash, time };
  return { ...body, sig: signer.sign(checkpointText(body)) };
}

/** Checkpoints of a feed are checked by its follower, and again as the newest of their home. */
const verified = new WeakSet<Checkpoint>();

/**
 * Whether the home's key signed the checkpoint, which must be parsed. Costs some 60 µs, and 70 more for a key not seen
 * before; nothing for an object that was found signed before.
 */
export function isSignedCheckpoint(checkpoint: Checkpoint): boolean {
  if (verified.has(checkpoint)) return true;
  const { home, sig } = checkpoint;
  if (parseDid(home) !== home || !verify(publicKeyOf(home), checkpointText(checkpoint), sig)) return false;
  verified.add(checkpoint);
  return true;
}

/** Whether the two can't both belong to one journal. */
export const contradicts = (one: Checkpoint, other: Checkpoint): boolean =>
  one.home === other.home &&
  one.network === other.network &&
  one.seq === other.seq &&
  one.chainHash !== other.chainHash;

/** The proof that two contradicting checkpoints of one `seq` make. It is the same for either order of arguments. */
export const proofOfEquivocation = (one: Checkpoint, other: Checkpoint): EquivocationProof =>
  one.chainHash < other.chainHash ? { first: one, second: other } : { first: other, second: one };

/**
 * Checks a parsed proof, which needs nothing but the home's signatures. @returns why it proves nothing; undefined if it
 * holds
 */
export function violationOfEquivocation(proof: EquivocationProof): string | undefined {
  const { first, second, links } = proof;
  if (first.home !== second.home) return 'the two checkpoints are of two homes';
  if (first.network !== second.network) return 'the two checkpoints are of two networks';
  const flaw = links ? violationOfLinks(proof, links) : violationOfPair(proof);
  if (flaw) return flaw;
  if (!isSignedCheckpoint(first)) return 'the signature of the first checkpoint does not verify';
  if (!isSignedCheckpoint(second)) return 'the signature of the second checkpoint does not verify';
  return undefined;
}

function violationOfPair({ first, second }: EquivocationProof): string | undefined {
  if (first.seq !== second.seq) return 'the two checkpoints are of two entries, and nothing links them';
  if (first.chainHash === second.chainHash) return 'the two checkpoints agree';
  return first.chainHash > second.chainHash ? 'the checkpoint with the lower chain hash comes first' : undefined;
}

function violationOfLinks({ first, second }: EquivocationProof, links: JournalLinks): string | undefined {
  if (second.seq - first.seq !== links.entryHashes.length) return 'the links are not as many as the entries between';
  if (links.chainHash === first.chainHash) return 'the two checkpoints agree';
  return endOfLinks(first.seq, links) === second.chainHash
    ? undefined
    : 'the links do not lead to the second checkpoint';
}

/** The chain hash to which the links lead from entry `seq`. */
const endOfLinks = (seq: number, { chainHash, entryHashes }: JournalLinks): string =>
  entryHashes.reduce((before, entryHash, index) => chainHashOf(seq + index + 1, before, entryHash), chainHash);
