/**
 * What a node adds to a request with a key that it has, and a caller with a key makes: encrypted contents and secrets,
 * signatures inside the payload.
 */
import { SigningError } from '../errors.js';
import { type Http, pathOf } from '../http.js';
import type { SignedAction } from './actions.js';
import {
  type Bytes,
  base58Of,
  base64Of,
  canonicalText,
  concatenated,
  fromBase64,
  fromHex,
  hashHex,
  type JsonMembers,
  type JsonValue,
  sha256,
  toBase64Url,
  utf8,
} from './bytes.js';
import { agreementKeyOf, type HeldKey } from './key.js';
import { type KeyEnvelopeMembers, packaged, unwrapped, wrapped } from './sealing.js';
import { isGenuine, type UncheckedEntry } from './shown-entry.js';

export interface Completing {
  readonly action: SignedAction;
  readonly key: HeldKey;
  readonly http: Http;
  readonly parameters: { readonly [name: string]: string };
  readonly body: JsonMembers;
  /** Version, network and home, which signed texts name. */
  readonly place: () => Promise<string>;
}

export interface Completed {
  readonly members: JsonMembers;
  readonly contents?: readonly { readonly dataBase64: string }[] | undefined;
  /** What only the caller knows of it; added to the reply. */
  readonly kept?: { readonly contentKeyHex: string };
  /** The text that is signed inside the payload, if the action has one. */
  readonly signatureOver?: string | undefined;
}

export async function completed(what: Completing): Promise<Completed> {
  const { action, body, parameters } = what;
  switch (`${action.kind}.${action.action}`) {
    case 'info-listing.create':
      return publishing(what);
    case 'info-order.create':
      return { members: { buyerPublicKeyHex: what.key.agreement?.publicKeyHex, ...body } };
    case 'info-order.deliver':
      return { members: await delivering(what) };
    case 'task-order.deliver':
      return { members: await withEnvelope(body, 'delivery', { ...what, contextId: orderIdOf(what) }) };
    case 'contract.submit': {
      const contextId = `${parameters.contractId}/${body.milestoneId ?? parameters.milestoneId}`;
      return { members: await withEnvelope(body, 'delivery', { ...what, contextId }) };
    }
    case 'lease.create':
      return { members: await withCredentials(what) };
    case 'identity.register':
      return { members: { ...body, credential: await proven(what, body.credential as JsonMembers) } };
    case 'contract.sign': {
      if (typeof body.termsHash !== 'string') throw new SigningError('state termsHash: it is what your key signs');
      return {
        members: body,
        signatureOver: `svc:contract:${await what.place()}:${parameters.contractId}:${body.termsHash}`,
      };
    }
    default:
      return { members: await withHashes(body) };
  }
}

/** Each piece of evidence as it is stored: with the given hash, or that of its content. */
async function withHashes(body: JsonMembers): Promise<JsonMembers> {
  const { evidence } = body;
  if (!Array.isArray(evidence)) return body;
  const pieces = evidence.map(async (piece: JsonValue) => {
    if (typeof piece === 'string') return { content: piece, hash: await hashHex(piece) };
    const given = piece as JsonMembers;
    return { ...given, hash: given.hash ?? (await hashHex(canonicalText(given))) };
  });
  return { ...body, evidence: await Promise.all(pieces) };
}

const own = (key: HeldKey): string => key.agreement?.publicKeyHex ?? agreementKeyOf(key.did);

async function publishing({ body, key, http }: Completing): Promise<Completed> {
  const { content: given, ...rest } = body;
  const content = (typeof given === 'string' ? { data: given } : given) as JsonMembers | undefined;
  if (content?.data === undefined) return { members: body };
  const { data, ...shown } = content;
  const encoding = String(shown.encoding ?? 'utf8');
  const made = await packaged(bytesOf(String(data), encoding), encoding, own(key), http.options.environment.drawBytes);
  const { contentHash: hash, size } = made.package;
  return {
    members: { ...rest, content: { ...shown, encoding, size, hash }, package: made.package },
    contents: [{ dataBase64: base64Of(made.ciphertext) }],
    kept: { contentKeyHex: made.contentKeyHex },
  };
}

const bytesOf = (data: string, encoding: string): Bytes =>
  encoding === 'base64' ? fromBase64(data) : encoding === 'hex' ? fromHex(data) : utf8(data);

async function delivering(what: Completing): Promise<JsonMembers> {
  const { body, http } = what;
  const { contentKeyHex, accessToken, accessUrl, ...rest } = body as { readonly [name: string]: string | undefined };
  const orderId = orderIdOf(what);
  const secrets = {
    keyEnvelope: contentKeyHex ? fromHex(contentKeyHex) : await keptKeyOf(what),
    accessTokenEnvelope: accessToken && utf8(accessToken),
    accessUrlEnvelope: accessUrl && utf8(accessUrl),
  };
  const members = await withEnvelope(rest as JsonMembers, 'deliveryData', { ...what, contextId: orderId });
  const given = Object.entries(secrets).filter((each): each is [string, Bytes] => Boolean(each[1]));
  if (given.length === 0) return { ...members, orderId, sealed: {} };
  const buyersKey = await buyersKeyOf(http, orderId, await what.place());
  const sealed: { [name: string]: JsonValue } = {};
  for (const [name, secret] of given)
    sealed[name] = { ...(await wrapped(secret, buyersKey, http.options.environment.drawBytes)) };
  return { ...members, orderId, sealed };
}

/** The key of the listing's content, which its seller has encrypted for their own key when they published it. */
async function keptKeyOf({ http, key, parameters, place }: Completing): Promise<Bytes | undefined> {
  const published = await creationOf(
    http,
    { kind: 'info-listing', id: parameters.listingId!, by: key.did },
    await place(),
  );
  const keptKey = (published?.package as { readonly keptKey?: KeyEnvelopeMembers } | undefined)?.keptKey;
  return keptKey && key.agreement && unwrapped(keptKey, key.agreement);
}

interface Created {
  readonly kind: string;
  readonly id: string;
  /** DID of its creator. */
  readonly by: string;
}

/**
 * The input of the event that created a resource; undefined unless the node shows it as its creator has signed it, for this
 * home. Ids count at one home, and a home can give a new resource any id.
 */
async function creationOf(http: Http, { kind, id, by }: Created, place: string): Promise<JsonMembers | undefined> {
  const query = { resource: `${kind}/${id}`, limit: 1 };
  const [entry] = (await http.get<{ events: readonly UncheckedEntry[] }>('/events', query)).events;
  // A node shows no payload to callers that may not see it.
  const { kind: shown, id: itsId, action, input } = entry?.payload ?? {};
  const { issuer, network, home } = entry?.event ?? {};
  const isHere = `v2:${network}:${home}` === place;
  const isIts = isHere && shown === kind && itsId === id && action === 'create' && issuer === by;
  return entry && isIts && (await isGenuine(entry)) ? input : undefined;
}

/** The X25519 key that an order is delivered for: that of the buyer's DID, or one that the buyer has signed for. */
async function buyersKeyOf(http: Http, orderId: string, place: string): Promise<string> {
  const order = await http.get<{ buyer: string; buyerPublicKeyHex: string }>(pathOf`/orders/${orderId}`);
  if (order.buyerPublicKeyHex === agreementKeyOf(order.buyer)) return order.buyerPublicKeyHex;
  const purchase = await creationOf(http, { kind: 'info-order', id: orderId, by: order.buyer }, place);
  if (purchase?.buyerPublicKeyHex !== order.buyerPublicKeyHex)
    throw new SigningError(`the node does not show that the buyer of ${orderId} has named this key`);
  return order.buyerPublicKeyHex;
}

/** The order of the request: stated, or in its path. */
const orderIdOf = ({ body, parameters }: Completing): string => {
  const id = body.orderId ?? parameters.orderId;
  if (typeof id !== 'string') throw new SigningError('state orderId: what a key signs names its order');
  return id;
};

async function withEnvelope(
  body: JsonMembers,
  member: string,
  { key, place, contextId, http }: Completing & { contextId: string },
): Promise<JsonMembers> {
  const delivery = body[member] as JsonMembers | undefined;
  const given = delivery?.envelope as JsonMembers | undefined;
  if (!given) return body;
  const transport = given.transport as { readonly data?: string; readonly encoding?: string } | undefined;
  const data = transport?.data === undefined ? undefined : bytesOf(transport.data, transport.encoding ?? 'utf8');
  const size = given.size ?? data?.length;
  const unsigned = {
    ...given,
    contextId,
    producer: key.did,
    contentHash: given.contentHash ?? (data && (await hashHex(data))),
    ...(size === undefined ? {} : { size }),
    id: given.id ?? `dlv-${base58Of(http.options.environment.drawBytes(16))}`,
    createdAt: given.createdAt ?? http.options.environment.now(),
  } as JsonMembers;
  const digest = await hashHex(canonicalText(unsigned));
  const signature = toBase64Url(await key.sign(utf8(`svc:deliverable:${await place()}:${digest}`)));
  const envelope: JsonMembers = { ...unsigned, digest, signature };
  const envelopeDigest = await hashHex(canonicalText(envelope));
  // A contract has the digest beside the delivery.
  return contextId.includes('/')
    ? { ...body, [member]: { envelope }, envelopeDigest }
    : { ...body, [member]: { ...delivery, envelope, envelopeDigest } };
}

async function withCredentials({ body, http, parameters }: Completing): Promise<JsonMembers> {
  const { credentials, ...rest } = body;
  if (credentials === undefined) return body;
  const { seller } = await http.get<{ seller: string }>(
    `/markets/capabilities/${encodeURIComponent(parameters.listingId!)}`,
  );
  return {
    ...rest,
    credentialsEnvelope: {
      ...(await wrapped(utf8(canonicalText(credentials)), agreementKeyOf(seller), http.options.environment.drawBytes)),
    },
  };
}

/** A Data Integrity proof eddsa-jcs-2022 by the holder's key. */
async function proven({ key, http }: Completing, credential: JsonMembers): Promise<JsonMembers> {
  if (credential.proof !== undefined) return credential;
  const proof: JsonMembers = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: new Date(http.options.environment.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
    verificationMethod: `${key.did}#${key.did.slice('did:svc:'.length)}`,
    proofPurpose: 'assertionMethod',
    ...(credential['@context'] === undefined ? {} : { '@context': credential['@context'] }),
  };
  const hashed = concatenated(await sha256(utf8(canonicalText(proof))), await sha256(utf8(canonicalText(credential))));
  return { ...credential, proof: { ...proof, proofValue: `z${base58Of(await key.sign(hashed))}` } };
}
