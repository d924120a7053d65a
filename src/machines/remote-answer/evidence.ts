/** The evidence for a remote request: the signed event and payload from the journal of the signer's home. */
import { canonical, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { isNormalDid, publicKeyHexOf, publicKeyOf } from '../../core/codecs/did.js';
import { eventMessage } from '../../core/codecs/event-message.js';
import { verify } from '../../core/codecs/signature-check.js';
import { growingCache } from '../../core/growing-cache.js';
import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { Request } from '../kernel/step.js';
import { type RemoteRequestInput, requestInput } from '../remote-request/resource.js';

const payload = is.freeObject;

export const evidenceFields = {
  event: is.described(is.freeObject, 'The event that sent the request.'),
  salt: is.described(is.pattern(/^[0-9a-f]{32}$/, '16 bytes in hex'), 'The salt of its payload.'),
  request: is.described(is.optional(payload), 'Its payload.'),
  confidential: is.described(is.optional(is.confidential(payload)), 'Its payload, for the parties only.'),
};
const evidence = is.object(evidenceFields);
export type EvidenceInput = is.TypeOf<typeof evidence>;

export interface ProvenRequest {
  readonly signer: string;
  /** DID of the signer's home. */
  readonly from: string;
  readonly asked: RemoteRequestInput;
}

/**
 * Members that a home adds to the input of an action on its resources. Another home could otherwise choose who decides a
 * dispute with a resident of this one, or name a content that is not stored here.
 */
const homeMembers = ['networkArbiter', 'package'] as const;

/** Where the evidence has to fit. */
export interface EvidencePlace {
  /** Id of the answer. */
  readonly id: string;
  readonly network: string;
  /** The home that answers. */
  readonly home: string;
}

/** Checks everything that proves the request. @returns what is wrong, as a sentence */
export function provenRequest(input: EvidenceInput, { id, network, home }: EvidencePlace): ProvenRequest | string {
  const { event, salt } = input;
  const { hash, sig, ...body } = event;
  const { issuer, pub, home: from } = body;
  const text = canonical(body as JsonObject);
  if (hash !== id || sha256Hex(text) !== hash) return 'the answer’s id is not the hash of the event';
  if (body.v !== 2 || body.type !== 'remote.sent') return 'the event sends no remote request';
  if (body.network !== network) return 'the event belongs to another network';
  if (!isNormalDid(issuer) || !isNormalDid(from) || pub !== publicKeyHexOf(issuer)) {
    return 'issuer, home and pub of the event do not fit together';
  }
  if (from === home) return 'the request was sent from this home';
  if (typeof sig !== 'string' || !isSigned(issuer, text, { hash, sig })) {
    return 'the signature of the event does not verify';
  }
  const sent = input.request ?? input.confidential;
  if (!sent || sha256Hex(canonical({ payload: sent, salt })) !== body.payloadHash) {
    return 'the payload is not that of the event';
  }
  const asked = is.parse(requestInput, structuredClone(sent.input));
  if (sent.kind !== 'remote-request' || sent.action !== 'create' || isRefusal(asked)) {
    return 'the payload is no remote request';
  }
  const given = (asked.input ?? asked.confidential ?? {}) as object;
  const stated = homeMembers.find((name) => name in given);
  if (stated !== undefined) return `the request states ${stated}, which only the home of the resource does`;
  return asked.home === home ? { signer: issuer, from, asked } : 'the request was sent to another home';
}

/**
 * Events whose signatures were found valid, by hash and signature. A step runs several times until it has what it reads, and
 * once more for each copy of the journal.
 */
const signed = growingCache<string, true>(1_000);

/** @param hash of the text, which contains the key */
function isSigned(issuer: string, text: string, { hash, sig }: { hash: string; sig: string }): boolean {
  const name = `${hash} ${sig}`;
  if (signed.has(name)) return true;
  const isValid = verify(publicKeyOf(issuer), eventMessage(text), sig);
  if (isValid) signed.set(name, true);
  return isValid;
}

/** The action that the payload of an answer runs by another signer; undefined for any other payload. */
export function actionOfOther({ kind, action, input }: Pick<Request, 'kind' | 'action' | 'input'>) {
  const { request, confidential, law } = input as unknown as EvidenceInput & { readonly law?: unknown };
  if (kind !== 'remote-answer' || action !== 'create' || law === undefined) return undefined;
  const asked = (request ?? confidential)?.input as JsonObject | undefined;
  return { kind: String(asked?.kind), action: String(asked?.action), law: String(law) };
}
