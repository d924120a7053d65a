/** Examines the server and database of SVC_STORE as a start would, without changing anything. */

import type { Environment } from '../../core/environment.js';
import { shownUrl } from '../../core/url-text.js';
import { StoreRefused } from '../store.js';
import { connected, type Database } from './database.js';
import { violationOfEnd } from './journal-end.js';
import { mustBeOurs } from './meta.js';
import { durabilityOf, probe } from './server-probe.js';

export interface MongoExamination {
  /** Host and database, without credentials. */
  readonly place: string;
  readonly durability: string;
  /** How far the server's clock is ahead of this one, ms; undefined if the server does not report its time. */
  readonly aheadMs: number | undefined;
  /** Why the database does not belong to this program; undefined if it does. */
  readonly stranger: string | undefined;
  readonly ending: string | undefined;
}

/** @throws StoreRefused where the server can't be reached or lacks a guarantee */
export function examineServer(url: string, network: string): Promise<MongoExamination> {
  return connected({ url, network }, async (database, world) => {
    await probe(database.db(), `probe-${Buffer.from(world.random(6)).toString('hex')}`);
    const stranger = await mustBeOurs(database.db(), network).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof StoreRefused) return error.message;
        throw error;
      },
    );
    const examination = {
      place: `${shownUrl(url)} (${database.name})`,
      durability: durabilityOf(database.topology),
      aheadMs: await clockOf(database, world),
      stranger,
      ending: stranger === undefined ? await violationOfEnd(database.collections(), world) : undefined,
    };
    await database.close(world);
    return examination;
  });
}

/** Undefined if the server does not report its time, as some compatible servers don't. */
async function clockOf(database: Database, world: Environment): Promise<number | undefined> {
  const { localTime } = await database
    .db()
    .command({ hello: 1 })
    .catch(() => ({ localTime: undefined }));
  return localTime instanceof Date ? localTime.getTime() - world.now() : undefined;
}
