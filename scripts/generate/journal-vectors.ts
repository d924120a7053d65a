/**
 * Vectors of the journal's format (docs/reference/journal-format.md#vectors): facts of RFC 8785 and RFC 8032, and what
 * this program makes of fixed keys, salts and times. Definition versions in it are made up, so that it changes with the
 * format alone.
 */
import { canonical, type Json, type JsonObject, sha256Hex } from '../../src/core/canonical.js';
import { publicKeyHexOf } from '../../src/core/codecs/did.js';
import { eventMessage, signedMessage } from '../../src/core/codecs/event-message.js';
import { type LeafText, leafText, newLeaf } from '../../src/core/leaf.js';
import { saltFor, sealedHash } from '../../src/core/sealed-hash.js';
import { type SeedSigner, signerOf } from '../../src/keys/signing.js';
import type { Agreed, Request } from '../../src/machines/kernel/resource.js';
import {
  chainHashOf,
  type EntryCore,
  noHash,
  type Receipt,
  receiptHashOf,
  type Version,
} from '../../src/store/entry.js';
import { entryVersion, eventVersion } from '../../src/store/journal-form.js';
import { payloadHashOf, payloadPart, type StoredPayload } from '../../src/store/payload.js';
import { publishedPayload } from '../../src/verify/published-payload.js';
import { rfc8785Numbers, rfc8785Values } from './rfc8785.js';
import { signingVectors } from './signing-vectors.js';

/** The secret keys of RFC 8032, section 7.1, tests 1 to 3. */
const seeds = {
  home: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  system: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  ada: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
};
/** The public keys of the same tests. */
const publicKeys: { readonly [name: string]: string } = {
  home: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  system: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  ada: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
};
type Name = keyof typeof seeds;

const network = 'devnet';
const begun = Date.UTC(2026, 0, 1);

const signers = Object.fromEntries(
  Object.entries(seeds).map(([name, seed]) => [name, signerOf(Buffer.from(seed, 'hex'))]),
) as { readonly [name in Name]: SeedSigner };
const didOf = (name: Name): string => signers[name].did;

/** The n-th salt. */
const salt = (n: number): string => sha256Hex(`salt ${n}`).slice(0, 32);

const contents = new Map<string, LeafText>();
/** The text of a leaf, unless the journal has erased it. */
const textOf = (hash: string): LeafText | undefined =>
  hash === profile.document.displayName.leaf ? undefined : contents.get(hash);

function leafOf(value: Json, n: number) {
  const { leaf, content } = newLeaf(value, Buffer.from(salt(n), 'hex'));
  contents.set(content.hash, leafText(content.bytes));
  return leaf;
}

const leaves = (
  [
    ['Ada', 1],
    ['', 2],
    ['Grüße, €1 \u{1f600}\n', 3],
    [[{ platform: 'web', url: 'https://example.org/' }], 4],
    [0.00001, 5],
    [null, 6],
  ] as const
).map(([value, n]) => ({ value, salt: salt(n), text: canonical(value), ...leafOf(value, n) }));

const sealed = [
  { part: payloadPart, members: { amount: 30, memo: 'x' } },
  { part: 'contract/ctr-1@1', members: { terms: {}, provider: didOf('ada') } },
].map(({ part, members }, n) => {
  const partSalt = saltFor(salt(10 + n), part);
  return { salt: salt(10 + n), part, partSalt, members, sealed: sealedHash(partSalt, members) };
});

interface StateVector {
  readonly open: JsonObject;
  /** Null: all members are open. */
  readonly confidential: JsonObject | null;
  readonly state: string;
}

function stateHashOf(name: string, entrySalt: string, { open, confidential, state }: StateVector): string {
  const hidden = confidential && sealedHash(saltFor(entrySalt, name), confidential);
  return sha256Hex(canonical({ context: open, sealed: hidden, state }));
}

const states = [
  { open: { amount: 5, buyer: didOf('ada') }, confidential: null, state: 'open' },
  { open: { buyer: didOf('ada') }, confidential: { rating: 4 }, state: 'created.open' },
  { open: {}, confidential: { title: leafOf('Private', 7) }, state: 'active' },
].map((vector, n) => {
  const { kind, id, version } = { kind: 'example', id: `ex-${n}`, version: n + 1 };
  const part = `${kind}/${id}@${version}`;
  const partSalt = saltFor(salt(20 + n), part);
  return {
    kind,
    id,
    version,
    salt: salt(20 + n),
    partSalt,
    ...vector,
    stateHash: stateHashOf(part, salt(20 + n), vector),
  };
});

const signed = [
  '{}',
  `"${'a'.repeat(1_022)}"`,
  `"${'a'.repeat(1_023)}"`,
  `"${'é'.repeat(511)}"`,
  `"${'é'.repeat(512)}"`,
].map((text) => {
  const message = signedMessage('svc:example:v1', text);
  return { purpose: 'svc:example:v1', bytes: Buffer.byteLength(text), text, message, sig: signers.ada.sign(message) };
});

/** Other texts of the first signature, which must be refused. */
function refusedSignatures() {
  const { message, sig } = signed[0]!;
  const bytes = Buffer.from(sig, 'base64url');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  // The last of 86 characters has four bits that encode nothing.
  const other = sig.slice(0, -1) + alphabet[alphabet.indexOf(sig.at(-1)!) + 1];
  const flipped = Buffer.from(bytes);
  flipped[0]! ^= 1;
  const order = 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3edn;
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
  const beyond = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  const signatures = [
    ['padding', `${sig}==`],
    ['the alphabet of base64', sig.replaceAll('-', '+').replaceAll('_', '/')],
    ['bits of the last character that are not 0', other],
    ['white space', ` ${sig}`],
    ['one character less', sig.slice(0, -1)],
    ['hex', bytes.toString('hex')],
    ['another signature', flipped.toString('base64url')],
    ['S + L in place of S', Buffer.concat([bytes.subarray(0, 32), beyond]).toString('base64url')],
  ] as const;
  return signatures.map(([why, signature]) => ({ why, publicKey: publicKeys.ada, message, signature }));
}

/** An entry to be made. */
interface Step {
  readonly by: Name;
  readonly type: string;
  readonly time: number;
  readonly payload: Request;
  readonly confidential?: boolean;
  readonly bounds?: Agreed;
  readonly more?: Partial<EntryCore>;
  /** The context of the resource after the entry, if the entry writes it. */
  readonly context?: JsonObject;
}

const profile = { document: { displayName: leafOf('Ada', 30), platformLinks: leafOf(leaves[3]!.value, 31) } };
const terms = {
  provider: didOf('system'),
  salt: salt(32),
  terms: { 'a/b~c': leafOf('Two pages.', 33), deadline: begun },
};
const correction = { operator: 'an operator', reason: 'the clock was a day ahead' };
const erasure = {
  operator: 'an operator',
  reason: 'asked by its author',
  resource: { id: didOf('ada'), kind: 'identity' },
};
const days = (count: number): number => begun + 86_400_000 * count;
const minted = `available/${didOf('ada')}`;

const steps: readonly Step[] = [
  {
    ...{ by: 'home', type: 'node.appointed', time: begun, context: { system: [didOf('system')] } },
    payload: { action: 'appoint', id: didOf('home'), input: { system: didOf('system') }, kind: 'node' },
  },
  {
    ...{ by: 'system', type: 'faucet.claimed', time: begun + 1 },
    payload: { action: 'mint', id: didOf('ada'), input: { amount: 10 }, kind: 'account' },
    more: {
      accounts: [{ did: 'supply', version: 1 }],
      moves: [{ amount: 10, op: 'mint', to: didOf('ada') }],
      postings: [
        ['supply', -10],
        [minted, 10],
      ],
    },
  },
  {
    ...{ by: 'ada', type: 'identity.updated', time: days(1), context: { capabilities: [], ...profile } },
    payload: { action: 'update', id: didOf('ada'), input: { ...profile, prevDocHash: noHash }, kind: 'identity' },
  },
  {
    ...{ by: 'ada', type: 'contract.created', time: days(1), context: terms, confidential: true },
    payload: { action: 'create', id: 'ctr-1', input: terms, kind: 'contract' },
    more: { idem: { fingerprint: sha256Hex('body'), key: 'once', principal: didOf('ada'), status: 201 } },
  },
  {
    ...{ by: 'ada', type: 'lease.invoked', time: days(1), context: { latency: 1e-5 } },
    payload: { action: 'invoke', id: 'lease-1', input: { latency: 1e-5 }, kind: 'lease' },
  },
  {
    ...{ by: 'ada', type: 'transfer.sent', time: days(1), bounds: { most: 4, until: days(1) } },
    payload: {
      action: 'transfer',
      id: didOf('ada'),
      input: { amount: 3, fee: 1, to: didOf('system') },
      kind: 'account',
    },
    more: {
      accounts: [{ did: didOf('ada'), version: 1 }],
      moves: [{ amount: 3, fee: 1, from: didOf('ada'), op: 'transfer', to: didOf('system') }],
      postings: [
        [minted, -4],
        [`available/${didOf('system')}`, 3],
        ['fees', 1],
      ],
    },
  },
  {
    ...{ by: 'system', type: 'clock.corrected', time: begun + 2, context: { system: [didOf('system')] } },
    payload: { action: 'correct-clock', id: didOf('home'), input: correction, kind: 'node' },
  },
  {
    ...{ by: 'system', type: 'leaf.redacted', time: begun + 3, context: erasure },
    payload: { action: 'redact', id: profile.document.displayName.leaf, input: erasure, kind: 'leaf' },
    more: { reads: [{ id: didOf('ada'), kind: 'identity', version: 1 }] },
  },
];

function journal() {
  const last = new Map<Name, { nonce: number; hash: string }>();
  const versions = new Map<string, { version: number; hash: string }>();
  let chain = noHash;
  return steps.map(({ by, type, time, payload, confidential = false, bounds, more, context }, index) => {
    const { action, kind, id, input } = payload;
    const entrySalt = salt(40 + index);
    const stored: StoredPayload = confidential
      ? { confidential: input, public: { action, id, input: {}, kind }, salt: entrySalt }
      : { public: payload };
    const { nonce: before = 0, hash: prev = null } = last.get(by) ?? {};
    const payloadHash = payloadHashOf(stored);
    const signer = signers[by];
    const body = { home: didOf('home'), issuer: signer.did, network, nonce: before + 1, payloadHash, prev };
    const event = { ...body, pub: publicKeyHexOf(signer.did), ts: time, type, v: eventVersion, ...bounds };
    const eventText = canonical(event);
    const hash = sha256Hex(eventText);
    const name = `${kind}/${id}`;
    const version = (versions.get(name)?.version ?? 0) + 1;
    const state = 'current';
    const written: Version[] = context
      ? [
          {
            ...{ id, kind, machine: `${kind}-1-000000000000`, path: [state], prev: versions.get(name)?.hash ?? null },
            stateHash: stateHashOf(`${name}@${version}`, entrySalt, {
              ...(confidential ? { open: {}, confidential: context } : { open: context, confidential: null }),
              state,
            }),
            version,
          },
        ]
      : [];
    if (context) versions.set(name, { version, hash });
    last.set(by, { nonce: before + 1, hash });
    const core: EntryCore = {
      ...{ accounts: [], idem: null, moves: [], postings: [], reads: [] },
      event: { ...event, hash, sig: signer.sign(eventMessage(eventText)) },
      ...{ home: didOf('home'), law: `${kind}-1-000000000000`, time, v: entryVersion, versions: written },
      ...more,
    };
    const coreText = canonical(core);
    const [seq, prevEntry, entryHash] = [index + 1, chain, sha256Hex(coreText)];
    chain = chainHashOf(seq, prevEntry, entryHash);
    const stand = { seq, entryHash, prevEntry, chainHash: chain };
    const { v: _, ...shownCore } = core;
    const shown = (isReader: boolean) => ({
      ...shownCore,
      ...stand,
      receipt: receiptOf(seq, entryHash),
      ...publishedPayload(stored, isReader, textOf),
    });
    return {
      stored: { coreText, payloadText: canonical(stored) },
      eventText,
      shown: shown(false),
      ...(confidential && { shownToReaders: shown(true) }),
    };
  });
}

/** The transfer's newest receipt, as the API shows it. */
const receiptOf = (seq: number, entryHash: string) =>
  seq === 2 ? { ...settled(seq, entryHash, 'confirmed'), confirmations: 3 } : null;

const settled = (seq: number, entryHash: string, status: Receipt['status']): Receipt => ({
  ...{ blockNumber: 7, entryHash, seq, status, txHash: `0x${'ab'.repeat(32)}` },
});

function receipts(entries: ReturnType<typeof journal>) {
  const { shown } = entries[1]!;
  let prevReceipt = noHash;
  return (['pending', 'confirmed'] as const).map((status, index) => {
    const receipt = settled(shown.seq, shown.entryHash, status);
    const receiptHash = receiptHashOf(index + 1, prevReceipt, receipt);
    const made = { number: index + 1, prevReceipt, receipt, receiptHash };
    prevReceipt = receiptHash;
    return made;
  });
}

export function journalVectors(): string {
  const entries = journal();
  const keys = Object.entries(seeds).map(([name, seed], index) => ({
    ...{ name, source: `RFC 8032, 7.1, test ${index + 1}`, seed, publicKey: publicKeys[name]! },
    did: didOf(name as Name),
  }));
  const vectors = {
    about: 'docs/reference/journal-format.md#vectors',
    numbers: { source: 'RFC 8785, appendix B', vectors: rfc8785Numbers },
    values: rfc8785Values,
    keys,
    signed,
    refusedSignatures: refusedSignatures(),
    leaves,
    sealed,
    states,
    journal: entries,
    receipts: receipts(entries),
    signing: signingVectors({ ada: signers.ada, ben: signers.system, home: didOf('home'), network, now: begun, salt }),
  };
  return `${JSON.stringify(vectors, null, 2)}\n`;
}
