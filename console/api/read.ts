/**
 * Sends every request of the console as JSON, with the read key if there is one. All are reads, except acts
 * of operators and the forms on devnet.
 */
import { keyHeaders, keyWanted } from './key.ts';
import { Problem, problemOf, unreachable } from './problem.ts';

export type Query = { readonly [name: string]: string | number | boolean | undefined };

/** Builds a path and escapes its parameters: ``path`/api/v1/escrows/${id}` ``. */
export const path = (texts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  texts.reduce((made, text, index) => made + encodeURIComponent(String(values[index - 1])) + text);

export function withQuery(base: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return base;
  return `${base}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** Returns a 2xx reply, otherwise throws a Problem. After a 401 the user is asked for the read key. */
export async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const own = init.headers as { readonly [name: string]: string } | undefined;
  const headers = { Accept: 'application/json', ...keyHeaders(), ...own };
  const reply = await fetch(url, { ...init, headers, credentials: 'omit' }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw unreachable();
  });
  if (reply.ok) return reply;
  const problem = await problemOf(reply);
  // A caller that sent another key handles its 401 itself.
  if (problem.status === 401 && !own?.['X-Api-Key']) keyWanted.value = problem.detail;
  throw problem;
}

export async function read<T>(url: string, signal?: AbortSignal): Promise<T> {
  const reply = await ask(url, signal ? { signal } : {});
  return (await reply.json()) as T;
}

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, 'CONSOLE_FAULT', String(error));
