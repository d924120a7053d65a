/**
 * Runs an operator's command in the node on the data directory or, without one, in this process, which then opens the
 * store itself.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../core/canonical.js';
import { pauseAwake, realEnvironment } from '../../core/environment.js';
import { createLog } from '../../core/log.js';
import { assert, type Refusal } from '../../core/refusal.js';
import { ApiKeyRegistry } from '../../http/access/api-keys.js';
import type { Config } from '../../node/config/config.js';
import { askNode, noNodeRunning } from '../../node/control/client.js';
import { keyHandlers } from '../../node/control/handlers.js';
import { openStore } from '../../node/store-choice.js';
import { StoreRefused } from '../../store/store.js';
import { whyClosed } from '../../verify/move/mark.js';
import { CommandFailed, must } from '../failure.js';

/** The actor in the admin log when no node runs. */
const by = 'cli';

/** Time to retry: a starting node locks the database before it listens on the control socket. */
const retry = { times: 10, restMs: 500 };

export async function operate(
  config: Config,
  act: string,
  input: JsonObject,
  { mayMakeDatabase = false } = {},
): Promise<JsonObject> {
  const { dataDir, store } = config;
  for (let attempt = 1; ; attempt++) {
    const answer = await askNode(dataDir, act, input);
    if (answer !== noNodeRunning) return must(answer);
    if (store === 'embedded' && !mayMakeDatabase && !existsSync(join(dataDir, 'journal.db'))) {
      throw new CommandFailed(`there is no database in ${dataDir}: is it the right --data?`);
    }
    try {
      return must(await onStore(config, act, input));
    } catch (error) {
      if (!(error instanceof StoreRefused) || attempt >= retry.times) throw error;
    }
    await pauseAwake(retry.restMs);
  }
}

async function onStore(config: Config, act: string, input: JsonObject): Promise<JsonObject | Refusal> {
  const log = createLog();
  const store = await openStore({ config, world: realEnvironment, log });
  try {
    const closed = await whyClosed(store);
    if (closed) throw new CommandFailed(closed);
    const keys = new ApiKeyRegistry({ store, world: realEnvironment, log });
    const handler = keyHandlers(keys, realEnvironment, by)[act];
    assert(handler, `${act} needs nothing but the database`);
    return await handler(input, () => {});
  } finally {
    await store.close();
  }
}
