/**
 * The meaning of each error code, and what a caller can do about it: `GET /errors/<code>`
 * (docs/reference/errors.md#codes).
 */
import { type Code, codes } from '../../core/refusal.js';
import type { Urls } from '../../core/urls.js';
import { errorClasses } from './error-classes.js';

interface ExplainedCode {
  readonly meaning: string;
  readonly advice: string;
  /** Example `detail` of a problem document. */
  readonly detail: string;
}

export const errorCodes: { readonly [C in Code]: ExplainedCode } = {
  INVALID_REQUEST: {
    meaning: 'A field is missing, has the wrong type or breaks a constraint, or the node does not know it.',
    advice: 'Read `errors`: it names each field and what is wrong with it. Correct the request and send it again.',
    detail: 'amount: must be an integer from 1 to 9007199254740991',
  },
  UNAUTHORIZED: {
    meaning:
      'The request has no API key where one is needed, or one that is unknown, revoked or expired, or two different ones.',
    advice: 'Send one valid key, as `X-Api-Key: <key>` or as `Authorization: Bearer <key>`.',
    detail: 'an API key is needed',
  },
  FORBIDDEN: {
    meaning: 'The scope of the API key does not suffice, or the signer is not in the role that the action needs.',
    advice:
      'Use a key with a wider scope, or sign as a DID that has the role. `GET /api/v1/machines/{kind}/{id}/permitted` lists who may do what now.',
    detail: 'only the depositor may do this',
  },
  NOT_FOUND: {
    meaning: 'There is no such route, or no such resource on this network.',
    advice: 'Check path and id. What another home has just made may take some seconds to arrive here.',
    detail: 'no such route',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists, but not with this method.',
    advice: 'Use one of the methods that the `Allow` header names.',
    detail: 'this path takes GET',
  },
  CONFLICT: {
    meaning:
      'The nonce, `prev` or `resourcePrev` of the request is not current, an id is taken, or price, stock or terms have changed.',
    advice:
      'Read the resource and your wallet again, take their `resourcePrev` and `nextNonce` (or the ones in this document), and send the request again if it still makes sense.',
    detail: 'nonce: the next one is 8',
  },
  UNPROCESSABLE: {
    meaning:
      'The request is well formed but impossible: amounts, parties or times contradict each other, or an `Idempotency-Key` came with another body.',
    advice: 'Read `detail`, and change what the request asks for.',
    detail: 'amount exceeds what remains: 5',
  },
  RATE_LIMITED: {
    meaning: 'A limit for an address, an API key or a DID is used up.',
    advice: 'Wait as many seconds as `Retry-After` says. The `RateLimit` header of each reply says what is left.',
    detail: 'too many requests',
  },
  INTERNAL_ERROR: {
    meaning:
      'The node failed, or the chain reverted a write after its commit. With `committed: true` the event stands in spite of it.',
    advice:
      'Repeat reads with back-off. Before you repeat a write, look whether it took effect. Tell the operator the `requestId`.',
    detail: 'the request failed',
  },
  INSUFFICIENT_BALANCE: {
    meaning: 'Amount and fee together exceed what the account has available.',
    advice:
      'Compare with `availableBalance` of `GET /api/v1/wallets/{did}`. Tokens that escrows hold are not available.',
    detail: 'the account has 3 Tokens available, and 5 are needed',
  },
  TRANSFER_NOT_ALLOWED: {
    meaning:
      'The passphrase does not unlock the key of the signer, the signer does not own the wallet, or an operator has frozen the account.',
    advice: 'Check `did` and `passphrase`. Of a frozen account ask the operator; its view has `frozen: true`.',
    detail: 'the passphrase does not unlock the key',
  },
  ESCROW_NOT_FOUND: {
    meaning: 'There is no escrow with this id on this network.',
    advice: 'Check the id: `GET /api/v1/escrows` lists escrows.',
    detail: 'no escrow esc-1 on this network',
  },
  ESCROW_INVALID_STATE: {
    meaning: 'The escrow is not in a state in which it takes this action, or a time has passed or not come yet.',
    advice: 'Read its `status` and `permittedActions`.',
    detail: 'the escrow is released',
  },
  ESCROW_RULE_NOT_MET: {
    meaning:
      'No rule of the escrow is satisfied by the rule, evidence and reason that the request gives; or the escrow belongs to an order, lease or contract, which alone moves it.',
    advice:
      'Read `releaseRules` and `refundRules` of the escrow. Cite one with `ruleId`, and give the evidence that it asks for: a preimage, signatures, or a time that has come.',
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
      'The order is not in a state in which it takes this action, its time has passed, or `resourcePrev` is not its last event.',
    advice: 'Read the order again: `status`, its deadlines, `resourcePrev`.',
    detail: 'the time to deliver has passed',
  },
  BID_NOT_ALLOWED: {
    meaning:
      'The listing takes no bid of yours: bidding is over or full, you have bid already, a bid was accepted, or it is your own listing.',
    advice: 'Read `bidding` of the listing.',
    detail: 'the bidding window is closed',
  },
  SUBMISSION_NOT_ALLOWED: {
    meaning:
      'The order takes no delivery from you now: you are not its provider, it waits for a judgement, it has had its ten submissions, or the delivery is empty.',
    advice: 'Read `status` and `submissions` of the order, and deliver something.',
    detail: 'deliverables are empty, and there is no delivery.envelope',
  },
  LEASE_NOT_FOUND: {
    meaning: 'There is no lease with this id on this network.',
    advice: 'Check the id: `GET /api/v1/markets/capabilities/leases` lists leases.',
    detail: 'no lease lease-1 on this network',
  },
  LEASE_INVALID_STATE: {
    meaning: 'The lease is paused, exhausted or ended, or its time has passed.',
    advice: 'Read its `status` and `endsAt`. A paused lease can be resumed; for more use, take a new one.',
    detail: 'the lease’s time has passed',
  },
  LEASE_QUOTA_EXCEEDED: {
    meaning: 'The call exceeds the quota of the listing or the `maxUnitsPerHour` of the lease.',
    advice: 'Read `quota` of the lease: what is used, and when the next period begins.',
    detail: 'the quota of the listing, or the maxUnitsPerHour of the lease, does not allow such a call now',
  },
  CONTRACT_NOT_FOUND: {
    meaning: 'There is no contract with this id on this network.',
    advice: 'Check the id: `GET /api/v1/contracts` lists contracts.',
    detail: 'no contract ctr-1 on this network',
  },
  CONTRACT_INVALID_STATE: {
    meaning: 'The contract or its milestone is not in a state in which it takes this action.',
    advice: 'Read `state`, `milestones` and `permittedActions` of the contract.',
    detail: 'the contract is completed',
  },
  CONTRACT_NOT_SIGNED: {
    meaning: 'The action needs the signatures of both parties, and one is missing.',
    advice:
      'Read `signatures` of the contract; each party signs with `POST /api/v1/contracts/{contractId}/actions/sign`.',
    detail: 'the provider must sign first',
  },
  CONTRACT_MILESTONE_INVALID: {
    meaning: 'The milestone is unknown, or the milestones of the request share an id or cost more than the payment.',
    advice: 'Compare ids and amounts with `milestones` and `payment.totalAmount`.',
    detail:
      'milestones must have ids of their own, and cost no more than payment.totalAmount together: they cost 30 of 25',
  },
  DISPUTE_NOT_ALLOWED: {
    meaning: 'The contract or order is not in a state for a dispute, or is disputed already.',
    advice: 'Read its state and `disputeId`.',
    detail: 'the order is disputed already',
  },
  DID_NOT_FOUND: {
    meaning: 'The node knows no event of this DID and has no key of it.',
    advice: 'Check the DID. `POST /api/v1/identities` makes one.',
    detail: 'no such DID on this network',
  },
  DID_INVALID: {
    meaning: 'The text is not a DID of this network: `did:svc:z` and the base58btc of an Ed25519 public key.',
    advice: 'Check that it was copied as a whole.',
    detail: 'did: is not a valid DID',
  },
  DID_UPDATE_CONFLICT: {
    meaning: '`prevDocHash` is not the hash of the current document: somebody has changed it since you read it.',
    advice: 'Read the identity again, and update what it says now with its `docHash`.',
    detail: 'prevDocHash is not that of the current document',
  },
  CAPABILITY_INVALID: {
    meaning: 'The credential is not a capability credential of the DID, or its proof does not verify.',
    advice: 'Read `errors`: it names the member. Without a `proof` the node adds one.',
    detail: 'credential.issuer: must be the DID that the credential is for',
  },
  REPUTATION_NOT_FOUND: {
    meaning: 'Nothing is recorded about the DID yet.',
    advice: 'Records come with finished orders and contracts. `orEmpty=true` answers 200 instead.',
    detail: 'nothing is recorded about this DID',
  },
  REPUTATION_INVALID: {
    meaning: 'The review is not valid: its dimension, score or reference.',
    advice: 'Read `detail`; the reference must be a finished order or contract between both parties.',
    detail: 'the review is not valid',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body has more than 1 MiB, as sent or as unpacked.',
    advice: 'Send less; refer to large contents by hash and address.',
    detail: 'the body is too large',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is not JSON in UTF-8, or has an encoding other than gzip, deflate or br.',
    advice: 'Send JSON with `Content-Type: application/json`.',
    detail: 'the body must be application/json',
  },
  SERVICE_UNAVAILABLE: {
    meaning:
      'The node is stopping or overloaded, or its store or chain does not answer. Where `detail` says that the outcome is unknown, the request may have taken effect.',
    advice:
      'Try again after `Retry-After` seconds, with back-off. Send a write again with the same `Idempotency-Key` or nonce: it takes effect once.',
    detail: 'the node is stopping',
  },
};

export const isCode = (text: string): text is Code => Object.hasOwn(codes, text);

/** The explanation of a code, with an example problem document. */
export function explainedCode(code: Code, { errorBaseUrl }: Pick<Urls, 'errorBaseUrl'>) {
  const [status, suffix] = codes[code];
  const { meaning, advice, detail } = errorCodes[code];
  const { title } = errorClasses[suffix];
  const type = `${errorBaseUrl}/${suffix}`;
  const error = { code, message: detail };
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
