/** Examines the server and database of SVC_STORE as a start would, without changing anything. */

import { type Environment, realEnvironment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { shownUrl } from '../../core/url-text.js';
import { StoreRefused } from '../store.js';
import { Database } from './database.js';
import { violationOfEnd } from './journal-end.js';
import { mustBeOurs } from './meta.js';
import { durabilityOf, probe } from './server-probe.js';
import { withoutCredentials } from './url.js';

export interface MongoExamination {
  /** Host and database, without credentials. */
  readonly place: string;
  /** The durability of an acknowledged write. */
  readonly durability: string;
  /** How far the server's clock is ahead of this one, ms; undefined if the server does not report its time. */
  readonly aheadMs: number | undefined;
  /** Why the database does not belong to this program; undefined if it does. */
  readonly stranger: string | undefined;
  /** The violation at the journal's end, if there is one. */
  readonly ending: string | undefined;
}

/** @throws StoreRefused where the server can't be reached or lacks a guarantee */
export async function examineServer(
  url: string,
  network: string,
  world: Environment = realEnvironment,
): Promise<MongoExamination> {
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
      place: `${shownUrl(url)} (${database.name})`,
      durability: durabilityOf(database.topology),
      aheadMs,
      stranger,
      ending: stranger === undefined ? await violationOfEnd(database.collections(), world) : undefined,
    };
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    const why = withoutCredentials(messageOf(error), url);
    throw new StoreRefused(`the database at ${shownUrl(url)} (SVC_STORE) can't be opened: ${why}`);
  } finally {
    await database.close(world);
  }
}

/** Undefined if the server does not report its time, as some compatible servers don't. */
async function clockOf(database: Database, world: Environment): Promise<number | undefined> {
  const { localTime } = await database
    .db()
    .command({ hello: 1 })
    .catch(() => ({ localTime: undefined }));
  return localTime instanceof Date ? localTime.getTime() - world.now() : undefined;
}
