/** Acts of an operator: an audit, API keys, webhooks, peers. The admin key goes with each request, and with no other. */
import { adminKey } from './admin-key.ts';
import { ask } from './read.ts';

export interface AdminWrite {
  readonly body?: object;
  /** Instead of the one that was entered before. */
  readonly key?: string;
}

/** Throws Problem. */
export async function adminPost<T>(
  url: string,
  { body = {}, key = adminKey.value ?? '' }: AdminWrite = {},
): Promise<T> {
  const headers = { 'Content-Type': 'application/json', 'X-Api-Key': key };
  const reply = await ask(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await reply.json()) as T;
}

/** Throws Problem. */
export async function adminDelete(url: string): Promise<void> {
  await ask(url, { method: 'DELETE', headers: { 'X-Api-Key': adminKey.value ?? '' } });
}
