/**
 * Checks the form of an entry's core, member by member. Valid hashes and signatures prove who wrote a text, not that it
 * is a well-formed entry, and its names reach a database before the step is executed.
 */
import type { Entry, EntryCore, Payload } from '../../store/entry.js';

type MemberTest = (value: unknown) => boolean;
type MemberTests = { readonly [name: string]: MemberTest };

/** The longest name (an id, a DID) in characters, and the longest list in elements. */
const longest = 1_024;
const mostElements = 4_096;

/** Rejects NUL, at which databases cut a string, and lone surrogates, which they can't store. */
const text: MemberTest = (value) =>
  typeof value === 'string' && value.length <= longest && !/[\0-\x1f\x7f]/.test(value) && value.isWellFormed();
const textOrNull: MemberTest = (value) => value === null || text(value);
const count: MemberTest = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const anObject: MemberTest = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const list =
  (element: MemberTest): MemberTest =>
  (value) =>
    Array.isArray(value) && value.length <= mostElements && value.every(element);

function object(members: MemberTests, optional: MemberTests = {}): MemberTest {
  const names = Object.keys(members);
  return (value) => {
    if (!anObject(value)) return false;
    const record = value as { readonly [name: string]: unknown };
    for (const name of names) if (!members[name]!(record[name])) return false;
    for (const name in record) {
      if (name in members) continue;
      if (!Object.hasOwn(optional, name) || !optional[name]!(record[name])) return false;
    }
    return true;
  };
}

const event = object(
  {
    ...{ v: count, type: text, issuer: text, nonce: count, ts: count, prev: textOrNull, network: text },
    ...{ payloadHash: text, pub: text, hash: text, sig: text },
  },
  { home: text },
);

const version = object(
  { kind: text, id: text, version: count, prev: textOrNull, machine: text, path: list(text), stateHash: text },
  { via: list(text) },
);

/** Members of a move are names, numbers (amounts, times, deposit numbers) or flags. Flags are only ever `true`. */
const moveMember: MemberTest = (value) => text(value) || count(value) || value === true;

const move: MemberTest = (value) => {
  if (!anObject(value)) return false;
  const { op, did, ...more } = value as { readonly [name: string]: unknown };
  const isFreeze = op === 'freeze' || op === 'unfreeze';
  return text(op) && (isFreeze ? text(did) : did === undefined) && Object.values(more).every(moveMember);
};

const ledgerAccount = /^((available|reserved|escrowed)\/.+|fees|supply)$/;

const posting: MemberTest = (value) =>
  Array.isArray(value) &&
  value.length === 2 &&
  text(value[0]) &&
  ledgerAccount.test(value[0]) &&
  Number.isSafeInteger(value[1]);

const members: { readonly [Name in keyof EntryCore]: MemberTest } = {
  v: count,
  event,
  home: text,
  time: count,
  law: text,
  versions: list(version),
  reads: list(object({ kind: text, id: text, version: count })),
  accounts: list(object({ did: text, version: count })),
  moves: list(move),
  postings: list(posting),
  idem: (value) => value === null || object({ principal: text, key: text, fingerprint: text, status: count })(value),
};

const ids: MemberTest = (value) => anObject(value) && Object.values(value as object).every(text);

const request = object({ kind: text, id: text, action: text, input: anObject }, { ids });

/** @returns which member is malformed, as a sentence; undefined for a well-formed entry */
export function violationOfForm({ core, coreText, payload, payloadText }: Entry): string | undefined {
  // Hashing replaces a lone surrogate just as a database would, so the hash would match another text.
  if (!coreText.isWellFormed() || payloadText?.isWellFormed() === false) return 'its texts are not valid Unicode';
  const member = misshapen(core);
  if (member !== undefined) return `the form of its ${member} is not that of an entry`;
  return payload === null || isRequest(payload) ? undefined : 'the form of its payload is not that of a request';
}

const isRequest = (payload: Payload): boolean => request(payload);

const misshapen = (core: EntryCore): string | undefined =>
  (Object.keys(members) as (keyof EntryCore)[]).find((name) => !members[name](core[name]));
