/**
 * Acts on the database: by the node that runs on the data directory, else by this process, which then opens the store as
 * a node would.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { whyClosed } from '../../actors/move/mark.js';
import type { Config } from '../../config.js';
import { askNode, nobodyThere } from '../../control/client.js';
import { keyHandlers } from '../../control/handlers.js';
import { ApiKeys } from '../../http/api-keys.js';
import { createLog } from '../../http/log.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { assert, type Refusal } from '../../machines/kernel/refusal.js';
import { StoreRefused } from '../../store/store.js';
import { openStore } from '../../store-choice.js';
import { holdProcess, pause, realWorld } from '../../world.js';
import { CommandFailed, must } from '../failure.js';

/** Who acted, in the admin log, where no node did. */
const by = 'cli';

/** A node that starts holds the database some moments before it can be asked. */
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
    if (answer !== nobodyThere) return must(answer);
    if (store === 'embedded' && !mayMakeDatabase && !existsSync(join(dataDir, 'journal.db'))) {
      throw new CommandFailed(`there is no database in ${dataDir}: is it the right --data?`);
    }
    try {
      return must(await onStore(config, act, input));
    } catch (error) {
      if (!(error instanceof StoreRefused) || attempt >= retry.times) throw error;
    }
    await rest(retry.restMs);
  }
}

async function rest(delayMs: number): Promise<void> {
  const letGo = holdProcess();
  await pause(realWorld, delayMs);
  letGo();
}

async function onStore(config: Config, act: string, input: JsonObject): Promise<JsonObject | Refusal> {
  const log = createLog();
  const store = await openStore({ config, world: realWorld, log });
  try {
    const closed = await whyClosed(store);
    if (closed) throw new CommandFailed(closed);
    const keys = new ApiKeys({ store, world: realWorld, log });
    const handler = keyHandlers(keys, realWorld, by)[act];
    assert(handler, `${act} needs nothing but the database`);
    return await handler(input, () => {});
  } finally {
    await store.close();
  }
}
