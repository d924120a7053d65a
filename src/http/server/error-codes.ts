/**
 * The classes behind the type URIs (docs/reference/errors.md#type-uris), and the meaning of each code with what a caller can
 * do about it: `GET /errors/<suffix>` and `GET /errors/<code>` (docs/reference/errors.md#codes).
 */
import { type Code, codes } from '../../core/refusal.js';
import type { Urls } from '../../core/urls.js';

export type ErrorSuffix = (typeof codes)[Code][1];

/** The stable name of each class, `error.code` of its problem documents, and its title. */
export const errorClasses: { readonly [S in ErrorSuffix]: { readonly constant: string; readonly title: string } } = {
  'validation-error': { constant: 'VALIDATION', title: 'Invalid request' },
  unauthorized: { constant: 'UNAUTHORIZED', title: 'No valid API key' },
  forbidden: { constant: 'FORBIDDEN', title: 'Not allowed' },
  'not-found': { constant: 'NOT_FOUND', title: 'Not found' },
  'method-not-allowed': { constant: 'METHOD_NOT_ALLOWED', title: 'Method not allowed' },
  conflict: { constant: 'CONFLICT', title: 'Conflict' },
  'unprocessable-entity': { constant: 'UNPROCESSABLE', title: 'Cannot be processed' },
  'too-many-requests': { constant: 'TOO_MANY_REQUESTS', title: 'Too many requests' },
  'internal-error': { constant: 'INTERNAL', title: 'Internal error' },
  'payload-too-large': { constant: 'PAYLOAD_TOO_LARGE', title: 'Body too large' },
  'unsupported-media-type': { constant: 'UNSUPPORTED_MEDIA_TYPE', title: 'Unsupported media type' },
  'service-unavailable': { constant: 'SERVICE_UNAVAILABLE', title: 'Service unavailable' },
};

/** The title of a problem document. A balance that does not suffice shares the class of requests that are wrong. */
export const problemTitle = (code: Code): string =>
  code === 'INSUFFICIENT_BALANCE' ? 'Not enough Tokens' : errorClasses[codes[code][1]].title;

/** The codes that share a class, with their statuses, the most general code first. */
export const codesOf = (suffix: ErrorSuffix): readonly { code: Code; status: number }[] =>
  (Object.keys(codes) as Code[])
    .filter((code) => codes[code][1] === suffix)
    .map((code) => ({ code, status: codes[code][0] }));

interface ExplainedCode {
  readonly meaning: string;
  readonly advice: string;
  /** Example `detail` of a problem document. */
  readonly detail: string;
}

export const errorCodes: { readonly [C in Code]: ExplainedCode } = {
  INVALID_REQUEST: {
    meaning: 'A field is missing, unknown, of the wrong type, or violates a constraint.',
    advice: '`errors` names each field and says what is wrong with it. Correct the request and send it again.',
    detail: 'amount: must be an integer from 1 to 9007199254740991',
  },
  UNAUTHORIZED: {
    meaning:
      'The request needs an API key and has none; its key is unknown, revoked or expired; or it has two different keys.',
    advice: 'Send one valid key, as `X-Api-Key: <key>` or as `Authorization: Bearer <key>`.',
    detail: 'an API key is needed',
  },
  FORBIDDEN: {
    meaning:
      'The scope of the API key is not sufficient, or the signer does not have the role that the action requires.',
    advice:
      'Use a key with a wider scope, or sign as a DID that has the role. `GET /api/v1/machines/{kind}/{id}/permitted` lists the actions that each role may take now.',
    detail: 'only the depositor may do this',
  },
  NOT_FOUND: {
    meaning: 'There is no such route, or no such resource on this network.',
    advice: 'Check the path and the id.',
    detail: 'no such route',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists, but not with this method.',
    advice: 'Use one of the methods in the `Allow` header.',
    detail: 'this path takes GET',
  },
  CONFLICT: {
    meaning:
      'The nonce, `prev` or `resourcePrev` of the request is not current, an id is taken, or price, stock or terms have changed.',
    advice:
      'Read the resource and your wallet again, use their `resourcePrev` and `nextNonce` (or those in this document), and send the request again if it still makes sense.',
    detail: 'nonce: the next one is 8',
  },
  UNPROCESSABLE: {
    meaning:
      'The request is well formed but impossible: amounts, parties or times contradict each other, or the `Idempotency-Key` was used with a different body.',
    advice: 'Read `detail`, and change the request.',
    detail: 'amount exceeds what remains: 5',
  },
  RATE_LIMITED: {
    meaning: 'The limit of the address, the API key or the DID is used up.',
    advice:
      'Wait for the number of seconds in `Retry-After`. The `RateLimit` header of each reply shows what is left of the limit.',
    detail: 'too many requests',
  },
  INTERNAL_ERROR: {
    meaning:
      'The node failed, or the chain reverted a write after its commit. With `committed: true` the event is nevertheless in the journal.',
    advice:
      'Retry reads with back-off. Before you repeat a write, check whether it took effect. Give the `requestId` to the operator.',
    detail: 'the request failed',
  },
  INSUFFICIENT_BALANCE: {
    meaning: 'The amount and the fee together exceed the available balance of the account.',
    advice:
      'Compare the amount with `availableBalance` of `GET /api/v1/wallets/{did}`. Tokens in escrows are not available.',
    detail: 'the account has 3 Tokens available, and 5 are needed',
  },
  TRANSFER_NOT_ALLOWED: {
    meaning:
      'The passphrase does not unlock the key of the signer, the signer does not own the wallet, or an operator has frozen the account.',
    advice: 'Check `did` and `passphrase`. If the wallet has `frozen: true`, ask the operator why.',
    detail: 'the passphrase does not unlock the key',
  },
  ESCROW_NOT_FOUND: {
    meaning: 'There is no escrow with this id on this network.',
    advice: 'Check the id: `GET /api/v1/escrows` lists escrows.',
    detail: 'no escrow esc-1 on this network',
  },
  ESCROW_INVALID_STATE: {
    meaning: 'The escrow does not accept this action in its current state, or at the current time.',
    advice: 'Read its `status` and `permittedActions`.',
    detail: 'the escrow is released',
  },
  ESCROW_RULE_NOT_MET: {
    meaning:
      'The rule, evidence and reason of the request satisfy no rule of the escrow. Or the escrow belongs to an order, lease or contract, and only that can move it.',
    advice:
      'Read `releaseRules` and `refundRules` of the escrow. Name a rule with `ruleId`, and give the evidence that it requires: a preimage or signatures. For a time rule, wait until its time.',
    detail: 'no release rule is satisfied by this rule, evidence and reason',
  },
  LISTING_NOT_FOUND: {
    meaning: 'There is no listing with this id on this network, or it is private and not yours.',
    advice: 'Check the id: `GET /api/v1/markets/search` finds listings.',
    detail: 'no listing lst-1 on this network',
  },
  LISTING_NOT_ACTIVE: {
    meaning: 'The listing is paused, expired, removed or sold out.',
    advice: 'Read its `status` and `stock`. Its seller can resume it.',
    detail: 'nothing is in stock: update stock first',
  },
  ORDER_NOT_FOUND: {
    meaning: 'There is no order with this id on this network.',
    advice: 'Check the id: `GET /api/v1/orders` lists orders.',
    detail: 'no order ord-1 on this network',
  },
  ORDER_INVALID_STATE: {
    meaning:
      'The order does not accept this action in its current state, its time has passed, or `resourcePrev` is not its last event.',
    advice: 'Read the order again: its `status`, deadlines and `resourcePrev`.',
    detail: 'the time to deliver has passed',
  },
  BID_NOT_ALLOWED: {
    meaning:
      'The listing does not accept your bid: the bidding has ended or is full, you have already bid, a bid was accepted, or the listing is your own.',
    advice: 'Read `bidding` of the listing.',
    detail: 'the bidding window is closed',
  },
  SUBMISSION_NOT_ALLOWED: {
    meaning:
      'The order does not accept a delivery from you now: you are not its provider, a submission waits for a decision, there have been ten submissions, or the delivery is empty.',
    advice: 'Read `status` and `submissions` of the order, and make sure that the delivery has content.',
    detail: 'deliverables are empty, and there is no delivery.envelope',
  },
  LEASE_NOT_FOUND: {
    meaning: 'There is no lease with this id on this network.',
    advice: 'Check the id: `GET /api/v1/markets/capabilities/leases` lists leases.',
    detail: 'no lease lease-1 on this network',
  },
  LEASE_INVALID_STATE: {
    meaning: 'The lease is paused, exhausted or ended, or its time has passed.',
    advice:
      'Read its `status` and `endsAt`. You can resume a paused lease. If it has ended or is exhausted, start a new lease.',
    detail: 'the lease’s time has passed',
  },
  LEASE_QUOTA_EXCEEDED: {
    meaning: 'The call exceeds the quota of the listing, or `maxUnitsPerHour` of the lease.',
    advice: '`quota` of the lease shows how much is used. Wait for the next period.',
    detail: 'the quota of the listing, or the maxUnitsPerHour of the lease, does not allow such a call now',
  },
  CONTRACT_NOT_FOUND: {
    meaning: 'There is no contract with this id on this network.',
    advice: 'Check the id: `GET /api/v1/contracts` lists contracts.',
    detail: 'no contract ctr-1 on this network',
  },
  CONTRACT_INVALID_STATE: {
    meaning: 'The contract or its milestone does not accept this action in its current state.',
    advice: 'Read `state`, `milestones` and `permittedActions` of the contract.',
    detail: 'the contract is completed',
  },
  CONTRACT_NOT_SIGNED: {
    meaning: 'The action requires the signatures of both parties, and at least one is missing.',
    advice:
      'Read `signatures` of the contract; each party signs with `POST /api/v1/contracts/{contractId}/actions/sign`.',
    detail: 'the provider must sign first',
  },
  CONTRACT_MILESTONE_INVALID: {
    meaning:
      'The milestone is unknown, two milestones of the request have the same id, or the milestones cost more than the payment.',
    advice: 'Compare ids and amounts with `milestones` and `payment.totalAmount`.',
    detail:
      'milestones must have ids of their own, and cost no more than payment.totalAmount together: they cost 30 of 25',
  },
  DISPUTE_NOT_ALLOWED: {
    meaning: 'The contract or order cannot be disputed in its current state, or is already disputed.',
    advice: 'Read its state and `disputeId`.',
    detail: 'the order is disputed already',
  },
  DID_NOT_FOUND: {
    meaning: 'The node knows no event of this DID, and has no key for it.',
    advice: 'Check the DID. `POST /api/v1/identities` creates a new one.',
    detail: 'no such DID on this network',
  },
  DID_INVALID: {
    meaning: 'The text is not a DID. A DID is `did:svc:z` followed by an Ed25519 public key in base58btc.',
    advice: 'Check that you copied the whole DID.',
    detail: 'did: is not a valid DID',
  },
  DID_UPDATE_CONFLICT: {
    meaning: '`prevDocHash` is not the hash of the current document: the document has changed since you read it.',
    advice:
      'Read the identity again, apply your change to the current document, and send its `docHash` as `prevDocHash`.',
    detail: 'prevDocHash is not that of the current document',
  },
  CAPABILITY_INVALID: {
    meaning: 'The credential is not a capability credential of the DID, or its proof does not verify.',
    advice: '`errors` names the member. If you omit `proof`, the node adds one.',
    detail: 'credential.issuer: must be the DID that the credential is for',
  },
  REPUTATION_NOT_FOUND: {
    meaning: 'Nothing is recorded about the DID yet.',
    advice: 'Finished orders and contracts create records. With `orEmpty=true` you get 200 instead.',
    detail: 'nothing is recorded about this DID',
  },
  REPUTATION_INVALID: {
    meaning: 'The dimension, score or reference of the review is not valid.',
    advice: 'Read `detail`. The reference must be a finished order or contract between both parties.',
    detail: 'the review is not valid',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than 1 MiB, as sent or after decompression.',
    advice: 'Send less. Refer to large content by its hash and URI.',
    detail: 'the body is too large',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is not JSON in UTF-8, or has an encoding other than gzip, deflate or br.',
    advice: 'Send JSON with `Content-Type: application/json`.',
    detail: 'the body must be application/json',
  },
  SERVICE_UNAVAILABLE: {
    meaning:
      'The node is stopping or overloaded, or its store or chain does not answer. If `detail` says that the outcome is unknown, the request may have taken effect.',
    advice:
      'Retry after the number of seconds in `Retry-After`, with back-off. Repeat a write with the same `Idempotency-Key` or nonce: it takes effect once.',
    detail: 'the node is stopping',
  },
};

export const isCode = (text: string): text is Code => Object.hasOwn(codes, text);
export const isSuffix = (text: string): text is ErrorSuffix => Object.hasOwn(errorClasses, text);

/** The explanation of a class: that of its most general code. */
export function explainedClass(suffix: ErrorSuffix, { errorBaseUrl }: Pick<Urls, 'errorBaseUrl'>) {
  const shared = codesOf(suffix);
  const { meaning, advice } = errorCodes[shared[0]!.code];
  return { type: `${errorBaseUrl}/${suffix}`, ...errorClasses[suffix], meaning, advice, codes: shared };
}

export function explainedCode(code: Code, { errorBaseUrl }: Pick<Urls, 'errorBaseUrl'>) {
  const [status, suffix] = codes[code];
  const { meaning, advice, detail } = errorCodes[code];
  const title = problemTitle(code);
  const type = `${errorBaseUrl}/${suffix}`;
  const error = { code: errorClasses[suffix].constant, message: detail };
  const requestId = '01KV5KPHJ05PKQA5YCYX4CCZ04';
  return {
    code,
    status,
    type,
    title,
    meaning,
    advice,
    example: { type, title, status, detail, code, error, requestId },
  };
}
