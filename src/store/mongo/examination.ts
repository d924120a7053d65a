/** A look at the server and the database that SVC_STORE names, as a start would take it; it leaves nothing behind. */
import { realWorld, type World } from '../../world.js';
import { StoreRefused } from '../store.js';
import { Database } from './database.js';
import { flawOfEnd } from './journal-end.js';
import { mustBeOurs } from './meta.js';
import { durabilityOf, probe } from './server-probe.js';
import { placeOf, withoutCredentials } from './url.js';

export interface Examination {
  /** Host and database, without credentials. */
  readonly place: string;
  /** What an acknowledged write has survived. */
  readonly durability: string;
  /** How far the server's clock is ahead of ours, ms; undefined where it does not tell. */
  readonly aheadMs: number | undefined;
  /** Why its database is not one of ours; undefined where it is. */
  readonly stranger: string | undefined;
  /** What is wrong with the end of its journal. */
  readonly ending: string | undefined;
}

/** Throws StoreRefused where the server can't be reached, or lacks a guarantee. */
export async function examineServer(url: string, network: string, world: World = realWorld): Promise<Examination> {
  const database = new Database(url, network);
  try {
    await database.connect();
    await database.chooseReadConcern();
    await probe(database.db(), `probe-${Buffer.from(world.random(6)).toString('hex')}`);
    const aheadMs = await clockOf(database, world);
    const stranger = await mustBeOurs(database.db(), network).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof StoreRefused) return error.message;
        throw error;
      },
    );
    return {
      place: `${placeOf(url)} (${database.name})`,
      durability: durabilityOf(database.topology),
      aheadMs,
      stranger,
      ending: stranger === undefined ? await flawOfEnd(database.collections(), world) : undefined,
    };
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    const why = withoutCredentials(error instanceof Error ? error.message : String(error), url);
    throw new StoreRefused(`the database at ${placeOf(url)} can't be opened: ${why}`);
  } finally {
    await database.close(world);
  }
}

/** Servers that only speak the protocol may not tell. */
async function clockOf(database: Database, world: World): Promise<number | undefined> {
  const { localTime } = await database
    .db()
    .command({ hello: 1 })
    .catch(() => ({ localTime: undefined }));
  return localTime instanceof Date ? localTime.getTime() - world.now() : undefined;
}
