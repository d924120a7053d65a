/**
 * Refusals as RFC 9457 problem documents (docs/reference/errors.md#problem-documents).
 */
import { type Code, codes, Refusal, type RefusalExtras, RefusedError } from '../../core/refusal.js';
import { StoreFault } from '../../store/store.js';
import { errorClasses, problemTitle } from './error-codes.js';

export interface Problem extends Readonly<Omit<RefusalExtras, 'retryAfter' | 'allow'>> {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly code: Code;
  /** The constant of the class, and `detail`. */
  readonly error: { readonly code: string; readonly message: string };
  readonly requestId: string;
}

export interface ProblemFrame {
  readonly errorBaseUrl: string;
  readonly requestId: string;
  /** Path of the request, if it is known. */
  readonly instance?: string;
  /** True on mainnet: a 500 reveals no internals. */
  readonly sanitise: boolean;
  /** Overrides the code's status, for statuses that no code has (408, 431). */
  readonly status?: number;
}

const sanitised = 'The node failed to answer this request; its operator finds the reason in the log by requestId.';

export function problemOf(refusal: Refusal, frame: ProblemFrame): Problem {
  const [status, suffix] = codes[refusal.code];
  const detail = status === 500 && frame.sanitise ? sanitised : refusal.detail;
  const { retryAfter: _, allow: __, ...members } = refusal.extras;
  return {
    type: `${frame.errorBaseUrl}/${suffix}`,
    title: problemTitle(refusal.code),
    status: frame.status ?? status,
    detail,
    ...(frame.instance === undefined ? {} : { instance: frame.instance }),
    code: refusal.code,
    error: { code: errorClasses[suffix].constant, message: detail },
    requestId: frame.requestId,
    ...members,
  };
}

/** Headers of a refusal, as name, value, name, value, … */
export function problemHeaders({ code, extras }: Refusal): string[] {
  const headers: string[] = [];
  if (extras.allow) headers.push('Allow', extras.allow.join(', '));
  if (code === 'UNAUTHORIZED') headers.push('WWW-Authenticate', 'Bearer realm="svc-node"');
  const retryAfter = extras.retryAfter ?? (code === 'SERVICE_UNAVAILABLE' ? 5 : code === 'RATE_LIMITED' ? 60 : 0);
  if (retryAfter > 0) headers.push('Retry-After', String(Math.ceil(retryAfter)));
  return headers;
}

/** `application/json` only for a caller that accepts it and does not accept `application/problem+json`. */
export const problemType = (accept: string | undefined): string =>
  accept?.includes('application/json') && !accept.includes('application/problem+json')
    ? 'application/json; charset=utf-8'
    : 'application/problem+json; charset=utf-8';

/** A thrown value as a refusal; `fault` if it was not one, so that it is logged as an error. */
export function refusalOf(thrown: unknown): { readonly refusal: Refusal; readonly fault: boolean } {
  if (thrown instanceof RefusedError) return { refusal: thrown.refusal, fault: false };
  if (thrown instanceof Refusal) return { refusal: thrown, fault: false };
  if (thrown instanceof StoreFault) {
    const refusal = new Refusal('SERVICE_UNAVAILABLE', 'the store of this node cannot be read', { retryAfter: 30 });
    return { refusal, fault: true };
  }
  const detail = thrown instanceof Error && thrown.message ? thrown.message : 'unexpected error';
  return { refusal: new Refusal('INTERNAL_ERROR', detail), fault: true };
}
