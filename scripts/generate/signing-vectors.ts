/**
 * Vectors of what somebody signs who keeps their key (docs/signing.md): what is asked for, what a node answers to `prepare`,
 * and what is submitted. Made with the node's own functions.
 */
import bs58 from 'bs58';
import { canonical, type Json, type JsonObject, sha256Hex } from '../../src/core/canonical.js';
import { publicKeyHexOf } from '../../src/core/codecs/did.js';
import { eventMessage } from '../../src/core/codecs/event-message.js';
import { x25519PublicKey } from '../../src/core/codecs/x25519.js';
import { newLeaf } from '../../src/core/leaf.js';
import { contentSalt, encrypt, hex, type Random, saltedHash, wrap } from '../../src/core/sealing.js';
import type { SeedSigner } from '../../src/keys/signing.js';
import { payloadHashOf } from '../../src/store/payload.js';

interface World {
  readonly ada: SeedSigner;
  readonly ben: SeedSigner;
  readonly home: string;
  readonly network: string;
  /** Epoch ms. */
  readonly now: number;
  /** The n-th salt. */
  readonly salt: (n: number) => string;
}

interface AskedWrite {
  readonly name: string;
  /** Below /api/v1. */
  readonly path: string;
  /** Of the request, without members that say who signs. */
  readonly body: JsonObject;
  readonly bounds?: JsonObject;
  readonly type: string;
  readonly payload: JsonObject & { readonly input: JsonObject };
  /** Pointers to the texts that can be erased. */
  readonly leaves?: readonly string[];
  /** All members of the input are confidential. */
  readonly isClosed?: boolean;
  /** The text that is signed inside the payload, in `signature`. */
  readonly signs?: string;
}

const pointed = (value: Json | undefined, parts: readonly string[]): Json => {
  const [part, ...rest] = parts;
  if (part === undefined) return value as Json;
  return pointed((value as JsonObject)[part.replaceAll('~1', '/').replaceAll('~0', '~')], rest);
};

/** The value with another one at a pointer. */
function replaced(value: Json, [part, ...rest]: readonly string[], by: Json): Json {
  if (part === undefined) return by;
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
  const members = value as JsonObject;
  return { ...members, [name]: replaced(members[name] as Json, rest, by) };
}

function writeVector({ ada, home, network, now, salt }: World, asked: AskedWrite, index: number) {
  const { name, path, body, bounds = {}, type, payload: unsigned, leaves: pointers = [], isClosed, signs } = asked;
  const signature = signs === undefined ? {} : { signature: ada.sign(signs) };
  const payload = { ...unsigned, input: { ...unsigned.input, ...signature } };
  let input = payload.input;
  const leaves: { [pointer: string]: JsonObject } = {};
  for (const [n, pointer] of pointers.entries()) {
    const parts = pointer.split('/').slice(1);
    const leafSalt = salt(100 + 10 * index + n);
    const { leaf } = newLeaf(pointed(input, parts), Buffer.from(leafSalt, 'hex'));
    input = replaced(input, parts, leaf) as JsonObject;
    leaves[pointer] = { ...leaf, salt: leafSalt };
  }
  const entrySalt = salt(60 + index);
  const whole = { ...payload, input } as JsonObject;
  const payloadHash = payloadHashOf(
    (isClosed
      ? { confidential: input, public: { ...whole, input: {} }, salt: entrySalt }
      : { public: whole }) as Parameters<typeof payloadHashOf>[0],
  );
  const event = {
    ...{ home, issuer: ada.did, network, nonce: 1, prev: null, pub: publicKeyHexOf(ada.did), ts: now, type, v: 3 },
    until: now + 60_000,
    ...bounds,
  };
  const text = canonical({ ...event, payloadHash });
  const shownLeaves = pointers.length > 0 ? { leaves } : {};
  const closed = isClosed ? { confidential: Object.keys(input), salt: entrySalt } : {};
  const empty = signs === undefined ? {} : { signature: '' };
  return {
    name,
    request: { path, body, bounds },
    prepared: {
      event,
      payload: { ...unsigned, input: { ...unsigned.input, ...empty } },
      ...{ ...shownLeaves, ...closed },
      ...(signs !== undefined && { signs: [{ at: '/signature', message: Buffer.from(signs).toString('hex') }] }),
    },
    ...(signs !== undefined && { inner: signs }),
    message: eventMessage(text),
    write: {
      event: { ...event, payloadHash, hash: sha256Hex(text), sig: ada.sign(eventMessage(text)) },
      payload,
      ...shownLeaves,
      ...(isClosed && { salt: entrySalt }),
    },
  };
}

function askedWrites({ ada, ben, home, network, now, salt }: World): readonly AskedWrite[] {
  const pay = { to: ben.did, amount: 3 };
  const account = { kind: 'account', id: ada.did, action: 'transfer' };
  const draft = { provider: ben.did, terms: { 'a/b~c': 'Two pages.', deadline: now } };
  const created = { ...draft, salt: salt(59) };
  const termsHash = sha256Hex(canonical(draft));
  const place = `v2:${network}:${home}`;
  const given = { id: 'dlv-1', createdAt: now, name: 'report.txt', format: 'text/plain' };
  const data = 'Grüße, €1 \u{1f600}\n';
  const transport = { method: 'inline', encoding: 'utf8', data };
  const bytes = Buffer.from(data);
  const envelope = {
    ...{ ...given, transport, contextId: 'task-ord-1', producer: ada.did },
    ...{ contentHash: sha256Hex(bytes), size: bytes.length },
  };
  const digest = sha256Hex(canonical(envelope));
  const signedEnvelope = { ...envelope, digest, signature: ada.sign(`svc:deliverable:${place}:${digest}`) };
  const delivered = { envelope: signedEnvelope, envelopeDigest: sha256Hex(canonical(signedEnvelope)) };
  const delivery = { orderId: 'task-ord-1', submissionId: 'sub-1', deliverables: ['report.txt'] };
  const { orderId, ...submitted } = delivery;
  const credential = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiableCredential', 'CapabilityCredential'],
    issuer: ada.did,
    credentialSubject: { id: ada.did, capability: 'rain' },
  };
  const proof = {
    '@context': credential['@context'],
    ...{ type: 'DataIntegrityProof', cryptosuite: 'eddsa-jcs-2022', proofPurpose: 'assertionMethod' },
    created: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
    verificationMethod: `${ada.did}#${ada.did.slice('did:svc:'.length)}`,
  };
  const hashed = Buffer.from(sha256Hex(canonical(proof)) + sha256Hex(canonical(credential)), 'hex');
  const proofValue = `z${bs58.encode(Buffer.from(ada.sign(hashed), 'base64url'))}`;
  const ofIdentity = { kind: 'identity', id: ada.did, action: 'register' };
  return [
    {
      ...{ name: 'plain', path: '/transfers', body: pay, type: 'transfer.sent' },
      payload: { ...account, input: pay },
    },
    {
      ...{ name: 'most and until', path: '/transfers', body: pay, type: 'transfer.sent' },
      ...{ bounds: { most: 4, until: now + 5_000 }, payload: { ...account, input: pay } },
    },
    {
      ...{ name: 'leaves', path: '/transfers', body: { ...pay, memo: data }, type: 'transfer.sent' },
      ...{ payload: { ...account, input: { ...pay, memo: data } }, leaves: ['/memo'] },
    },
    {
      ...{ name: 'confidential', path: '/contracts', body: draft, type: 'contract.created', isClosed: true },
      payload: { kind: 'contract', id: 'ctr-1', action: 'create', input: created },
      leaves: ['/terms/a~1b~0c'],
    },
    {
      ...{ name: 'terms of a contract', path: '/contracts/ctr-1/actions/sign', body: { termsHash } },
      ...{ type: 'contract.signed', signs: `svc:contract:${place}:ctr-1:${termsHash}` },
      payload: { kind: 'contract', id: 'ctr-1', action: 'sign', input: { termsHash } },
    },
    {
      ...{ name: 'envelope', path: '/markets/tasks/lst-1/actions/deliver', type: 'task-order.delivered' },
      body: { ...delivery, delivery: { envelope: { ...given, transport } } },
      payload: {
        ...{ kind: 'task-order', id: orderId, action: 'deliver', ids: { submission: 'sub-1' } },
        input: { ...submitted, delivery: delivered },
      },
      leaves: ['/delivery/envelope/name', '/delivery/envelope/transport'],
    },
    {
      ...{ name: 'credential', path: `/identities/${ada.did}/capabilities`, type: 'capability.registered' },
      body: { credential },
      payload: { ...ofIdentity, input: { credential: { ...credential, proof: { ...proof, proofValue } } } },
      leaves: ['/credential'],
    },
  ];
}

/** Random bytes, and what of them was drawn, in hex. */
function drawing(name: string): { readonly random: Random; readonly drawn: string[] } {
  const drawn: string[] = [];
  const random: Random = (count) => {
    const bytes = Buffer.from(sha256Hex(`${name} ${drawn.length}`), 'hex').subarray(0, count);
    drawn.push(hex(bytes));
    return bytes;
  };
  return { random, drawn };
}

/** Contents that only a buyer opens: the key is wrapped for the key in their DID. */
function contentVector({ ada, salt }: World) {
  const { random, drawn } = drawing('random');
  const key = random(32);
  const content = Buffer.from(`Rain fell every day. ${salt(0)}`);
  const { nonce, ciphertext, tag } = encrypt(key, content, random);
  return {
    name: 'a content for ada',
    receiverPublicKeyHex: hex(x25519PublicKey(ada.did)),
    keyEnvelope: wrap(key, x25519PublicKey(ada.did), random)!,
    contentKeyHex: hex(key),
    contentSaltHex: hex(contentSalt(key)),
    contentHash: saltedHash(key, content),
    ciphertextHash: sha256Hex(ciphertext),
    ...{ nonceHex: hex(nonce), ciphertextHex: hex(ciphertext), tagHex: hex(tag) },
    content: content.toString(),
    drawn,
  };
}

/** A lessee's credentials, which only the lessor opens. */
function credentialsVector({ ada }: World) {
  const { random, drawn } = drawing('credentials');
  const credentials = { user: 'ben', pass: 'Grüße, €1 \u{1f600}' };
  const receiver = x25519PublicKey(ada.did);
  const credentialsEnvelope = wrap(Buffer.from(canonical(credentials)), receiver, random)!;
  return { name: 'credentials for ada', receiverPublicKeyHex: hex(receiver), credentials, credentialsEnvelope, drawn };
}

export const signingVectors = (world: World) => ({
  home: world.home,
  network: world.network,
  now: world.now,
  writes: askedWrites(world).map((asked, index) => writeVector(world, asked, index)),
  contents: [contentVector(world)],
  credentials: [credentialsVector(world)],
});
