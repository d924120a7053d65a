/** Signs in the page, as any client that keeps its key (docs/signing.md). Loaded once there is such a key. */
import { realEnvironment } from '../../packages/client/src/environment.ts';
import { ApiError } from '../../packages/client/src/errors.ts';
import { Http } from '../../packages/client/src/http.ts';
import { type KeyPairs, keys } from '../../packages/client/src/signing/key.ts';
import { KeyWrites, type KnownEvents } from '../../packages/client/src/signing/key-writes.ts';
import { UnexpectedPayload } from '../../packages/client/src/signing/prepared.ts';
import { readKey } from '../api/key.ts';
import { Problem } from '../api/problem.ts';
import type { Write } from './people.ts';

export type { KeyPairs };

export const newPairs = (): Promise<KeyPairs> => keys.pairs();

export async function keySigner(pairs: KeyPairs): Promise<{ readonly did: string; readonly write: Write }> {
  const key = await keys.fromPairs(pairs);
  const known = new Map<string, KnownEvents>();
  return {
    did: key.did,
    async write(url, body) {
      const timeouts = { readTimeoutMs: 5_000, writeTimeoutMs: 30_000 };
      const http = new Http({ url: location.origin, key: readKey.value, environment: realEnvironment, ...timeouts });
      try {
        return await new KeyWrites(http, { key }, known).signed(url.slice('/api/v1'.length), body);
      } catch (error) {
        if (error instanceof ApiError) throw new Problem(error.status, error.refusal ?? error.code, error.message);
        const why = (error as Error).message;
        const hint = '. Members need the names of the reference: this browser signs no other names of them.';
        throw new Problem(0, 'NOT_SIGNED', error instanceof UnexpectedPayload ? `${why}${hint}` : why);
      }
    },
  };
}
