/** Sells answers of an HTTP server for Tokens: the judgement of a request, and its forms for servers. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { paymentBounds } from '../../../src/core/bounds.js';
import { canonical, type JsonObject } from '../../../src/core/canonical.js';
import { parseDid } from '../../../src/core/codecs/did.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { AnswerRecord, type RecordedAnswer } from './answer-record.js';
import { SaleError } from './errors.js';
import {
  type BoundRequest,
  bodyHashOf,
  decoded,
  encoded,
  networkName,
  type PaidResource,
  type PaymentProof,
  type PaymentRequired,
  type PaymentSettled,
  type PaymentTerms,
  type PaymentWay,
  proofHeader,
  requiredHeader,
  settledHeader,
} from './messages.js';
import { violationInSigned, violationOfPayment } from './proof.js';
import { bodyOf } from './request-body.js';
import type { UsedPayments } from './used.js';

export interface SaleOffer {
  /** Tokens for one answer. */
  readonly amount: number;
  /** DID that is paid. */
  readonly payTo: string;
  /** DID of the home where it is paid, whose word counts for the payment. */
  readonly home: string;
  /** Of that home: devnet, testnet or mainnet. */
  readonly network: string;
  /** Of that home's API, for buyers. */
  readonly node?: string;
  /** Where buyers reach this server: `https://weather.example`. */
  readonly url: string;
  /** At least 32 characters or bytes that all programs of this seller know, and no one else. */
  readonly secret: string | Uint8Array;
  readonly used: UsedPayments;
  /** Id of a capability that `payTo` offers at that home, for a price per unit: answers are then also paid by leases of it. */
  readonly listing?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly secondsToPay?: number;
  /** Clock, for tests; epoch milliseconds. */
  readonly now?: () => number;
}

/** What a request has paid. */
export interface ReceivedPayment {
  /** DID of the buyer. */
  readonly payer: string;
  readonly amount: number;
  readonly eventHash: string;
  /** Of the request. */
  readonly body: Uint8Array;
}

/** A request that is to be paid. */
interface AskedAnswer extends BoundRequest {
  readonly proof: string | undefined;
}

/** What is to be done with a request: answered as said, or served. */
type Judgement =
  | { readonly answer: RecordedAnswer }
  | { readonly paid: Omit<ReceivedPayment, 'body'>; readonly record: AnswerRecord };

type NextStep = (error?: unknown) => unknown;
type BodyHolder = IncomingMessage & { readonly originalUrl?: string; payment?: ReceivedPayment };

declare global {
  namespace Express {
    interface Request {
      payment?: ReceivedPayment;
    }
  }
}

interface KoaLike {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly state: object;
  readonly body?: unknown;
  readonly originalUrl: string;
  respond?: boolean | undefined;
  disableBodyParser?: boolean | undefined;
}
/** What a framework does beside the server. */
interface Adapter {
  /** The response is written by the sale. */
  readonly taken?: () => void;
  /** The body of an answer that it does not write, because the connection is closed. */
  readonly unsent?: () => unknown;
}

export interface Sale {
  /** A handler of `node:http` that serves what is paid. */
  http(
    serve: (request: IncomingMessage, response: ServerResponse, payment: ReceivedPayment) => unknown,
  ): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Middleware of Express. The payment is in `request.payment`. */
  readonly express: (request: IncomingMessage, response: ServerResponse, next: NextStep) => Promise<void>;
  /** Middleware of Koa. The payment is in `context.state.payment`. */
  readonly koa: (context: KoaLike, next: () => Promise<unknown>) => Promise<void>;
}

/** Sells answers. Stand before what parses bodies; the body of a paid request is in the payment. */
export function sell(offer: SaleOffer): Sale {
  const judge = judgeOf(offer);

  /** @param serve called once the request is paid; ends when the answer is made */
  async function handle(
    request: BodyHolder,
    response: ServerResponse,
    serve: (payment: ReceivedPayment) => unknown,
    { taken = () => {}, unsent }: Adapter = {},
  ): Promise<void> {
    const body = await bodyOf(request);
    if (body === undefined) {
      taken();
      return answerWith(response, problemOf(413, 'the body of the request is too large'));
    }
    const { method = 'GET', originalUrl = request.url ?? '/' } = request;
    const proof = request.headers[proofHeader.toLowerCase()];
    const found = await judge({
      ...{ method, url: offer.url + originalUrl, bodyHash: bodyHashOf(body) },
      proof: typeof proof === 'string' ? proof : undefined,
    });
    if ('answer' in found) {
      taken();
      return answerWith(response, found.answer);
    }
    const { paid, record } = found;
    response.setHeader(settledHeader, encoded(settled(offer, paid)));
    // A cache would give it to those who have not paid.
    response.setHeader('cache-control', 'private, no-store');
    response.setHeader('vary', proofHeader);
    record.of(response);
    try {
      await serve({ ...paid, body });
      if (unsent) await record.unsent(response, unsent());
    } catch (error) {
      if (response.headersSent) record.drop();
      else await record.failed();
      throw error;
    }
  }

  return {
    http: (serve) => (request, response) =>
      handle(request, response, (payment) => serve(request, response, payment)).catch(() => {
        // Half an answer must not look like a whole one.
        if (response.headersSent || response.writableEnded) response.destroy();
        else answerWith(response, problemOf(500, 'the server has failed'));
      }),
    express: (request: BodyHolder, response, next) =>
      handle(request, response, (payment) => {
        request.payment = payment;
        next();
      }).catch(next) as Promise<void>,
    koa: (context, next) =>
      handle(
        Object.assign(context.req, { originalUrl: context.originalUrl }),
        context.res,
        (payment) => {
          Object.assign(context.state, { payment });
          // The body is read: koa-bodyparser leaves it alone then.
          context.disableBodyParser = true;
          return next();
        },
        {
          taken: () => {
            context.respond = false;
          },
          unsent: () => context.body,
        },
      ),
  };
}

function answerWith(response: ServerResponse, { status, headers, body }: RecordedAnswer): void {
  response.writeHead(status, headers).end(body);
}

const problemOf = (status: number, detail: string, headers = {}): RecordedAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  body: Buffer.from(JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail })),
});

const settled = (
  { network, home }: SaleOffer,
  { payer, eventHash }: Pick<ReceivedPayment, 'payer' | 'eventHash'>,
): PaymentSettled => ({ success: true, payer, transaction: eventHash, network: networkName(network, home) });

function checkedOffer(offer: SaleOffer): void {
  const wrong = (what: string): never => {
    throw new SaleError(what);
  };
  const {
    amount,
    payTo,
    home,
    secret,
    url,
    listing,
    description = '',
    secondsToPay = paymentBounds.secondsToPay,
  } = offer;
  if (!Number.isSafeInteger(amount) || amount < 1) wrong('amount is a whole number of Tokens above 0');
  if (parseDid(payTo) !== payTo) wrong('payTo is a DID');
  if (parseDid(home) !== home) wrong('home is a DID');
  if (secret.length < 32) wrong('secret has at least 32 characters or bytes');
  if (!(secondsToPay >= 60 && secondsToPay <= 600)) wrong('secondsToPay is from 60 to 600');
  const given = URL.canParse(url) ? new URL(url) : undefined;
  const isWhole = given && !given.search && !given.hash && given.href === (given.pathname === '/' ? `${url}/` : url);
  if (!isWhole || url.endsWith('/'))
    wrong('url is an URL as buyers call it, without a slash at its end: https://weather.example');
  if (listing !== undefined && !/^[\w.:-]{1,128}$/.test(listing)) wrong('listing is the id of a capability');
  if (description.length > paymentBounds.descriptionCharacters) wrong('description is too long');
}

function judgeOf(offer: SaleOffer): (asked: AskedAnswer) => Promise<Judgement> {
  checkedOffer(offer);
  const { home, network, payTo, amount, used, listing, description, mimeType, node } = offer;
  const { secondsToPay = paymentBounds.secondsToPay, now = realEnvironment.now } = offer;
  const { skewMs, servedMs } = paymentBounds;
  const records = AnswerRecord.kept(now);

  const byTransfer: PaymentWay = { by: 'transfer' };
  const ways = listing === undefined ? [byTransfer] : [byTransfer, { by: 'lease', listing } as const];
  const termsFor = (way: PaymentWay, challenge: string): PaymentTerms => ({
    ...{ scheme: 'exact', network: networkName(network, home), asset: 'TOKEN', amount: String(amount), payTo },
    maxTimeoutSeconds: secondsToPay,
    extra: { home, ...(node !== undefined && { url: node }), ...way, challenge },
  });
  const resourceOf = ({ url }: BoundRequest): PaidResource => ({
    ...{ url, ...(description !== undefined && { description }) },
    ...(mimeType !== undefined && { mimeType }),
  });

  /** Binds a price to a request and a time, so that the seller need not remember whom it has asked. */
  function challengeOf({ method, url, bodyHash }: BoundRequest, way: PaymentWay, time: number): string {
    const bound = canonical({ ...termsFor(way, ''), time, method, url, bodyHash } as unknown as JsonObject);
    const mac = createHmac('sha256', offer.secret).update(`svc:payment-challenge:v1:${bound}`).digest('base64url');
    return `${time}.${mac}`;
  }

  function refused(asked: BoundRequest, error: string): Judgement {
    const accepts = ways.map((way) => termsFor(way, challengeOf(asked, way, now())));
    const required: PaymentRequired = { x402Version: 2, error, resource: resourceOf(asked), accepts };
    return { answer: problemOf(402, error, { [requiredHeader]: encoded(required) }) };
  }

  /** The time of a challenge that was made for this request; undefined if it was not. */
  function timeOf(asked: BoundRequest, way: PaymentWay, challenge: string): number | undefined {
    const stated = /^(\d{13})\./.exec(challenge)?.[1];
    if (stated === undefined) return undefined;
    const time = Number(stated);
    const [given, own] = [Buffer.from(challenge), Buffer.from(challengeOf(asked, way, time))];
    return given.length === own.length && timingSafeEqual(given, own) ? time : undefined;
  }

  function checked(asked: BoundRequest, { accepted, payload }: PaymentProof) {
    const { entry, checkpoint } = payload;
    const { challenge } = accepted.extra;
    const way = ways.find(({ by }) => by === accepted.extra.by) ?? byTransfer;
    const time = timeOf(asked, way, challenge);
    if (time === undefined) return 'the challenge is not for this request';
    const terms = termsFor(way, challenge);
    if (canonical(accepted as unknown as JsonObject) !== canonical(terms as unknown as JsonObject))
      return 'the terms are not those of this seller';
    const until = time + servedMs;
    if (now() > until || time > now() + skewMs) return 'the payment is too old';
    const violation =
      violationInSigned({ entry, checkpoint }, { home, network }) ??
      violationOfPayment(payload, { terms, request: asked });
    if (violation) return violation;
    const isInTime = entry.time >= time - skewMs && entry.time <= time + secondsToPay * 1_000 + skewMs;
    if (!isInTime) return 'it was not paid while the price was good';
    return { until, paid: { payer: entry.event.issuer, amount, eventHash: entry.event.hash } };
  }

  return async (asked) => {
    if (asked.proof === undefined) return refused(asked, 'this answer has to be paid');
    const proof = proofIn(asked.proof);
    if (proof === undefined)
      return { answer: problemOf(400, `${proofHeader} is not a proof of a payment with Tokens of ${home}`) };
    const found = checked(asked, proof);
    if (typeof found === 'string') return refused(asked, found);
    const { paid, until } = found;
    const { eventHash } = paid;
    for (let before = records.of(eventHash); before; before = records.of(eventHash)) {
      const answer = await before.answer;
      if (answer) return { answer };
    }
    // Begun before the claim, so that the same proof again waits for this answer.
    const record = records.begin(eventHash, () => used.release(eventHash, until));
    const isFirst = await used.claim(eventHash, until).catch((error: unknown) => {
      record.drop();
      throw error;
    });
    if (isFirst) return { paid, record };
    record.drop();
    return refused(asked, 'the payment has been used');
  };
}

/** Of the header; undefined if it has not the form of one. What it says is unchecked. */
function proofIn(text: string): PaymentProof | undefined {
  const { x402Version, accepted, payload } = (decoded(text) ?? {}) as Partial<PaymentProof>;
  const isOne =
    x402Version === 2 &&
    isMembers(accepted) &&
    isMembers(accepted.extra) &&
    typeof accepted.extra.challenge === 'string' &&
    isMembers(payload) &&
    isMembers(payload.entry) &&
    isMembers(payload.entry.event) &&
    isMembers(payload.checkpoint) &&
    typeof payload.secret === 'string';
  return isOne ? ({ x402Version, accepted, payload } as PaymentProof) : undefined;
}

const isMembers = (value: unknown): value is object => typeof value === 'object' && value !== null;
