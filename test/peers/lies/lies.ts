/** False entries whose hashes and signatures are right. */
import { canonical, hashOf, type JsonObject, sha256Hex } from '../../../src/core/canonical.js';
import { publicKeyHexOf } from '../../../src/core/codecs/did.js';
import { eventMessage } from '../../../src/core/codecs/event-message.js';
import { deriveSigner, systemKeyInfo } from '../../../src/keys/signing.js';
import { identity } from '../../../src/machines/identity/identity.js';
import { stateHashOf } from '../../../src/machines/kernel/decide.js';
import { postingsOf } from '../../../src/machines/kernel/posting.js';
import type { AnyDefinition } from '../../../src/machines/kernel/resource.js';
import { definitionVersion } from '../../../src/machines/kernel/versioning.js';
import { residence } from '../../../src/machines/residence/resource.js';
import type { FeedEntry } from '../../../src/peers/replica/replica.js';
import type { EntryCore } from '../../../src/store/entry.js';
import { ada, ben, didOf, signer, signerOfDid } from '../../world/people.js';
import { rehashed, withoutPayload } from './feed.js';

const systemKey = deriveSigner(signer('node'), systemKeyInfo);

/** The keys that a dishonest home may have: its own and its residents'. */
const keyOf = (did: string) => (did === systemKey.did ? systemKey : signerOfDid(did));

/** The entry with another request (and other changes), signed again by its issuer. */
export function signedAnew(
  { entry, ...more }: FeedEntry,
  change: { readonly event?: object; readonly core?: object; readonly payload?: JsonObject },
): FeedEntry {
  const { payload, salt } = JSON.parse(entry.payloadText!) as { payload: JsonObject; salt: string };
  const said = { payload: { ...payload, ...change.payload }, salt };
  const { hash: _, sig: __, ...before } = entry.core.event;
  const body = { ...before, payloadHash: hashOf(said), ...change.event };
  const text = canonical(body);
  const sig = keyOf(body.issuer).sign(eventMessage(text));
  const event = { ...body, hash: sha256Hex(text), sig };
  return rehashed({ entry, ...more }, { core: { ...entry.core, ...change.core, event }, payload: said });
}

export interface Lie {
  readonly says: RegExp;
  readonly cause?: 'unknown-version';
  /** Which entry is falsified. */
  readonly at: (core: EntryCore, fed: FeedEntry) => boolean;
  readonly tell: (fed: FeedEntry) => FeedEntry;
  /** Sent to homes from which confidential payloads are withheld. */
  readonly toStrangers?: true;
}

const ofType =
  (type: string) =>
  ({ event }: EntryCore): boolean =>
    event.type === type;

const withCore = (change: (core: EntryCore) => object): Lie['tell'] => {
  return (fed) => rehashed(fed, { core: { ...fed.entry.core, ...change(fed.entry.core) } });
};

const isWithheldEntry = (_: EntryCore, { entry, revealed }: FeedEntry): boolean =>
  entry.payloadText === null && (revealed?.length ?? 0) > 0;

/** Adds a resource to what an entry writes and reveals. */
const alsoWriting =
  (definition: AnyDefinition, id: string, state: string, context: JsonObject): Lie['tell'] =>
  (fed) => {
    const { kind } = definition;
    const machine = definitionVersion(definition);
    const stateHash = stateHashOf(state, context);
    const version = { kind, id, version: 1, prev: null, machine, path: [state], stateHash };
    const core = { ...fed.entry.core, versions: [...fed.entry.core.versions, version] };
    return rehashed(fed, { core, revealed: [...fed.revealed!, { kind, id, state, context }] });
  };

/** A withheld resource, as the feed has shown it before the entry at hand. */
function afterWithheld(at: Lie['at']): {
  readonly at: Lie['at'];
  readonly read: () => { readonly kind: string; readonly id: string; readonly version: number };
} {
  let newest: EntryCore['versions'][number] | undefined;
  return {
    at: (core, fed) => {
      if (newest && at(core, fed)) return true;
      const hidden = ({ kind, id }: EntryCore['versions'][number]) =>
        !fed.revealed!.some((each) => each.kind === kind && each.id === id);
      if (isWithheldEntry(core, fed)) newest = core.versions.find(hidden) ?? newest;
      return false;
    },
    read: () => ({ kind: newest!.kind, id: newest!.id, version: newest!.version }),
  };
}

const behindWithheld = afterWithheld(
  ({ moves, versions }, { entry }) => entry.payloadText !== null && moves.length > 0 && versions.length > 0,
);

/** A review reads the trade that it is about, which is withheld. */
const isReviewOfWithheld = ({ event, reads }: EntryCore, { revealed }: FeedEntry): boolean =>
  event.type === 'reputation.reviewed' && reads.length > 0 && revealed !== undefined;

/** The newest event of the system key before the entry at hand. */
const bySystem = { nonce: 0, prev: null as string | null };

const movedAnew = (change: (move: EntryCore['moves'][number]) => object): Lie['tell'] =>
  withCore((core) => {
    const moves = core.moves.map((move) => ({ ...move, ...change(move) }) as EntryCore['moves'][number]);
    const sums = new Map<string, number>();
    for (const [name, delta] of moves.flatMap(postingsOf)) sums.set(name, (sums.get(name) ?? 0) + delta);
    return { moves, postings: [...sums].filter(([, delta]) => delta !== 0) };
  });

export const lies: { readonly [name: string]: Lie } = {
  'an event that was signed for another home': {
    says: /its event is signed for .*, and the home of this journal is/,
    at: ofType('transfer.sent'),
    tell: (fed) => signedAnew(fed, { event: { home: didOf('dishonest') } }),
  },
  'a double spend': {
    says: /its action is refused: INSUFFICIENT_BALANCE/,
    at: ofType('transfer.sent'),
    tell: (fed) => {
      const input = { ...fed.entry.payload!.input, amount: 1_000_000 };
      const postings = [
        [`available/${ada}`, -1_000_005],
        [`available/${ben}`, 1_000_000],
        ['fees', 5],
      ];
      return signedAnew(fed, { payload: { input }, core: { postings } });
    },
  },
  'a negative amount, which would take from its receiver': {
    says: /the form of its moves is not that of an entry/,
    at: ofType('transfer.sent'),
    tell: (fed) => {
      const { core, payload } = fed.entry;
      const moves = core.moves.map((move) => ({ ...move, amount: -20, fee: 0 }));
      const postings = [
        [`available/${ada}`, 20],
        [`available/${ben}`, -20],
      ];
      const { fee: _, ...input } = payload!.input;
      return signedAnew(fed, { payload: { input: { ...input, amount: -20 } }, core: { moves, postings } });
    },
  },
  'a wrong stateHash': {
    says: /its versions are not what the action gives/,
    at: ofType('escrow.created'),
    tell: withCore(({ versions }) => ({ versions: versions.map((each) => ({ ...each, stateHash: 'f'.repeat(64) })) })),
  },
  'Tokens for another account': {
    says: /its postings are not what the action gives/,
    at: ofType('escrow.released'),
    tell: withCore(({ postings }) => ({
      postings: postings.map(([account, delta]) => [account.replace(ben, didOf('cyd')), delta]),
    })),
  },
  'postings that do not sum to zero': {
    says: /its postings do not sum to zero/,
    at: ofType('escrow.released'),
    tell: withCore(({ postings }) => ({ postings: postings.map(([account, delta]) => [account, delta + 1]) })),
  },
  'a definition version that this program does not know': {
    says: /it was decided by escrow-99-0123456789ab/,
    cause: 'unknown-version',
    at: ofType('escrow.created'),
    tell: withCore(() => ({ law: 'escrow-99-0123456789ab' })),
  },
  'a definition version whose revision never had that hash': {
    says: /it was decided by escrow-1-0123456789ab/,
    at: ofType('escrow.created'),
    tell: withCore(() => ({ law: 'escrow-1-0123456789ab' })),
  },
  'the definition version of another kind': {
    says: /it was decided by|not what the action gives/,
    at: ofType('escrow.created'),
    tell: withCore(({ law }) => ({ law: law.replace('escrow', 'bid') })),
  },
  'a nonce left out': {
    says: /nonce \d+ of .* comes after/,
    at: ofType('escrow.funded'),
    tell: (fed) => signedAnew(fed, { event: { nonce: fed.entry.core.event.nonce + 1 } }),
  },
  'an event that does not name the one before': {
    says: /prev is not the hash of the issuer's event before/,
    at: ofType('escrow.funded'),
    tell: (fed) => signedAnew(fed, { event: { prev: 'a'.repeat(64) } }),
  },
  'a time before that of the entry before': {
    says: /its time is before that of an earlier entry/,
    at: ofType('escrow.funded'),
    tell: withCore(({ time }) => ({ time: time - 3_600_000 })),
  },
  "a system key that the home's node has not appointed": {
    says: /its action is refused: (FORBIDDEN|TRANSFER_NOT_ALLOWED)/,
    at: ofType('account.frozen'),
    tell: (fed) => {
      const foreign = signer('dishonest');
      const event = { issuer: foreign.did, pub: publicKeyHexOf(foreign.did), nonce: 1, prev: null };
      return signedAnew(fed, { event });
    },
  },
  "another key under the issuer's name": {
    says: /pub is not the key inside issuer/,
    at: ofType('transfer.sent'),
    tell: (fed) => signedAnew(fed, { event: { pub: publicKeyHexOf(ben) } }),
  },
  'a deadline that rings too early': {
    says: /its action is refused/,
    at: ofType('escrow.expired'),
    tell: withCore(({ time }) => ({ time: time - 86_400_000 * 30.5 })),
  },
  'an action of a DID that is no party': {
    says: /its action is refused/,
    at: ofType('escrow.cancelled'),
    tell: (fed) => {
      const cyd = signer('eve');
      return signedAnew(fed, {
        event: { issuer: cyd.did, pub: publicKeyHexOf(cyd.did), nonce: 1, prev: null },
      });
    },
  },
  'a read that the step does not make': {
    says: /its reads are not what the action gives|it writes|names/,
    at: ofType('escrow.funded'),
    tell: withCore(() => ({ reads: [{ kind: 'identity', id: ada, version: 0 }] })),
  },
  'a read that is left out': {
    says: /which the entry does not name|its reads are not what the action gives/,
    at: ({ reads }) => reads.length > 0,
    tell: withCore(() => ({ reads: [] })),
  },
  'a member that no entry has': {
    says: /the form of its \w+ is not that|has members that an entry does not have/,
    at: ofType('escrow.funded'),
    tell: withCore(() => ({ note: 'x' })),
  },
  'a name that is no text, for a database that takes objects': {
    says: /the form of its \w+ is not that/,
    at: ofType('escrow.funded'),
    tell: withCore(({ versions }) => ({ versions: versions.map((each) => ({ ...each, id: { $gt: '' } })) })),
  },
  'an idempotency key twice': {
    says: /idempotency key/,
    at: (core) => core.event.type === 'escrow.created',
    tell: withCore(() => ({ idem: { principal: ada, key: 'k', fingerprint: 'x', status: 200 } })),
  },
  'a payload that everyone may read, withheld': {
    says: /its payload is withheld, and everyone may read that of a transfer.sent/,
    at: ofType('transfer.sent'),
    tell: ({ entry }) => ({ entry: withoutPayload(entry), revealed: [] }),
  },
  'a revealed context that does not fit': {
    toStrangers: true,
    says: /what it reveals of .* does not fit its stateHash/,
    at: isWithheldEntry,
    tell: ({ entry, revealed }) => ({
      entry,
      revealed: revealed!.map((each) => ({ ...each, context: { ...each.context, zzz: 1 } })),
    }),
  },
  'something revealed that the entry does not write': {
    toStrangers: true,
    says: /it reveals escrow\/other, which it does not write/,
    at: isWithheldEntry,
    tell: ({ entry, revealed }) => ({
      entry,
      revealed: [...revealed!, { ...revealed![0]!, kind: 'escrow', id: 'other' }],
    }),
  },
  'a DID that moves without its signature, by an entry whose payload is withheld': {
    toStrangers: true,
    says: /it writes residence\/.*, which only entries write that everyone may read/,
    at: isWithheldEntry,
    tell: alsoWriting(residence, ada, 'here', { did: ada, home: didOf('node'), epoch: 7 }),
  },
  'a document of another DID, by an entry whose payload is withheld': {
    toStrangers: true,
    says: /it writes identity\/.*, which only entries write that everyone may read/,
    at: isWithheldEntry,
    tell: alsoWriting(identity, didOf('eve'), 'active', { document: { name: 'false' } }),
  },
  'Tokens made by an entry whose payload is withheld': {
    toStrangers: true,
    says: /it makes a move \(mint\) that no confidential action makes/,
    at: isWithheldEntry,
    tell: withCore(({ moves, postings }) => ({
      moves: [...moves, { op: 'mint', to: ada, amount: 1 }],
      postings: [...postings, ['supply', -1], [`available/${ada}`, 1]],
    })),
  },
  'Tokens taken from a stranger by an entry whose payload is withheld': {
    toStrangers: true,
    says: /it debits .*, who did not sign it/,
    at: (core, fed) => isWithheldEntry(core, fed) && core.event.issuer !== ada,
    tell: withCore(({ moves }) => ({ moves: [...moves, { op: 'transfer', from: ada, to: ben, amount: 1, fee: 0 }] })),
  },
  'postings that the moves do not give, where the payload is withheld': {
    toStrangers: true,
    says: /its postings are not what its moves give/,
    at: (core, fed) => isWithheldEntry(core, fed) && core.postings.length > 1,
    tell: withCore(({ postings }) => ({
      postings: postings.map(([account, delta], index) => [
        account,
        index === 0 ? delta - 1 : index === 1 ? delta + 1 : delta,
      ]),
    })),
  },
  'an outdated read, where the payload is withheld': {
    toStrangers: true,
    says: /it has read version 7 of/,
    at: isWithheldEntry,
    tell: withCore(({ reads }) => ({ reads: [...reads, { kind: 'identity', id: ada, version: 7 }] })),
  },
  'a version left out, where the payload is withheld': {
    toStrangers: true,
    says: /has version \d+ after/,
    at: isWithheldEntry,
    tell: withCore(({ versions }) => ({
      versions: versions.map((each, index) => (index === 0 ? { ...each, version: each.version + 1 } : each)),
    })),
  },
  'a state that the step does not give, by an entry that names a withheld resource': {
    toStrangers: true,
    says: /its reads are not what the action gives/,
    at: behindWithheld.at,
    tell: withCore(({ reads, versions }) => ({
      reads: [...reads, behindWithheld.read()],
      versions: versions.map((each) => ({ ...each, stateHash: 'f'.repeat(64) })),
    })),
  },
  'Tokens that the system key takes by an entry that reads a withheld resource': {
    toStrangers: true,
    says: /it debits .*, who did not sign it/,
    at: (core, fed) => {
      if (isReviewOfWithheld(core, fed)) return true;
      const { issuer, nonce, hash } = core.event;
      if (issuer === systemKey.did) Object.assign(bySystem, { nonce, prev: hash });
      return false;
    },
    tell: (fed) => {
      const { did } = systemKey;
      const event = { issuer: did, pub: publicKeyHexOf(did), nonce: bySystem.nonce + 1, prev: bySystem.prev };
      const moves = [{ op: 'transfer', from: ada, to: did, amount: 1, fee: 0 }];
      return signedAnew(fed, { event, core: { moves } });
    },
  },
  'an event of another type than its payload, by an entry that reads a withheld resource': {
    toStrangers: true,
    says: /its type is escrow.created, and its payload's action is reputation.review/,
    at: isReviewOfWithheld,
    tell: (fed) => signedAnew(fed, { event: { type: 'escrow.created' } }),
  },
  'a review that is not written, by an entry that reads a withheld resource': {
    toStrangers: true,
    says: /it does not write reputation\//,
    at: isReviewOfWithheld,
    tell: ({ entry }) => rehashed({ entry }, { core: { ...entry.core, versions: [] } }),
  },
  'Tokens of an escrow for another DID than its beneficiary, where the payload is withheld': {
    toStrangers: true,
    says: /its moves are not between the parties of escrow\//,
    at: (core, fed) => isWithheldEntry(core, fed) && core.moves.some(({ op }) => op === 'release'),
    tell: movedAnew(({ op }) => (op === 'release' ? { to: didOf('eve') } : {})),
  },
  'Tokens of an escrow that is not written, where the payload is withheld': {
    toStrangers: true,
    says: /it moves Tokens of escrow\/esc-other, which it does not write/,
    at: (core, fed) => isWithheldEntry(core, fed) && core.moves.some(({ op }) => op === 'release'),
    tell: movedAnew(({ op }) => (op === 'release' ? { escrow: 'esc-other' } : {})),
  },
};
