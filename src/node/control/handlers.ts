/**
 * The commands of the control socket (docs/reference/access.md#operators). Each command that changes something is written
 * to the admin log as an act of `control`.
 */

import type { JournalClock } from '../../actors/journal-clock.js';
import type { SystemWriter } from '../../actors/system.js';
import type { JsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { ApiKeyRegistry } from '../../http/access/api-keys.js';
import type { Keystore } from '../../keys/keystore.js';
import { backup } from '../../store/sqlite/backup.js';
import { act } from './act.js';
import type { ControlHandlers } from './control.js';
import { type ModeratedParts, moderationHandlers } from './moderation-handlers.js';
import { type PeerCommandParts, peerHandlers } from './peer-handlers.js';

export interface ControlParts extends PeerCommandParts {
  readonly keys: ApiKeyRegistry;
  readonly clock: JournalClock;
  /** Writes the node's own entries. */
  readonly system: SystemWriter;
  readonly keystore: Keystore;
  /** DID of the node; its key cannot be locked. */
  readonly nodeDid: string;
  readonly dataDir: string;
  /** Whether the database is in the data directory. */
  readonly isEmbedded: boolean;
  readonly world: Environment;
  /** The reply of `GET /api/v1/node` to an admin. */
  readonly status: () => JsonObject | Promise<JsonObject>;
  /** The chain's facts about the journal. */
  readonly chain: () => Promise<JsonObject | Refusal>;
  readonly moderated: ModeratedParts;
}

/** The actor in the admin log, and the origin that wrong passphrases count against. */
const by = 'control';

const newKey = is.object({
  label: is.optional(is.name(100)),
  scope: is.oneOf('read', 'write', 'admin'),
  did: is.optional(is.did),
  expiresAt: is.optional(is.time),
});
const keyId = is.object({ id: is.text(128, 1) });
const did = is.object({ did: is.did });
const unlocking = is.object({ did: is.did, passphrase: is.secret(is.text(4096, 1)) });
const correction = is.object({ reason: is.text(1_000, 1), operator: is.text(200, 1) });
const file = is.object({ file: is.text(4096, 1) });

export function controlHandlers({
  keys,
  clock,
  system,
  keystore,
  nodeDid,
  dataDir,
  isEmbedded,
  world,
  status,
  chain,
  peering,
  moderated,
}: ControlParts): ControlHandlers {
  return {
    ...keyHandlers(keys, world, by),
    ...peerHandlers({ peering }, keys, by),
    ...moderationHandlers(moderated, { system, adminLog: keys.adminLog, by }),
    ...clockHandlers({ clock, system, nodeDid, keys }),
    status: async () => status(),
    chain: async () => chain(),
    'identity.held': async () => ({ dids: keystore.heldDids() }),
    'identity.unlock': act(unlocking, async ({ did, passphrase }) => {
      return keys.adminLog.around<object>({ act: 'identity.unlock', by, details: { did } }, async () => {
        const refusal = await keystore.hold(did, passphrase, by);
        return refusal ?? { did, unlocked: true };
      });
    }),
    'identity.lock': act(did, async ({ did }) => {
      if (did === nodeDid) return refuse('UNPROCESSABLE', 'the node’s own key stays unlocked while it runs');
      if (!(await keystore.has(did))) return refuse('DID_NOT_FOUND', `the keystore has no key of ${did}`);
      return keys.adminLog.around({ act: 'identity.lock', by, details: { did } }, () => {
        keystore.release(did);
        return { did, unlocked: false };
      });
    }),
    backup: act(file, async ({ file }, onProgress) => {
      if (!isEmbedded) return refuse('UNPROCESSABLE', 'this node’s database is on MongoDB, whose own tools back it up');
      return keys.adminLog.around(
        { act: 'backup', by, details: { file } },
        () => backup(dataDir, file, { onProgress, world }),
        ({ seq }) => ({ seq }),
      );
    }),
  };
}

/** The operator's decisions about the clock (docs/operations.md#a-wrong-clock). */
function clockHandlers({
  clock,
  system,
  nodeDid,
  keys,
}: Pick<ControlParts, 'clock' | 'system' | 'nodeDid' | 'keys'>): ControlHandlers {
  return {
    'clock.accept': act(is.object({}), () =>
      keys.adminLog.around<object>({ act: 'clock.accept', by }, async () => {
        clock.accept();
        return clock.refusal ?? { accepted: true };
      }),
    ),
    'clock.correct': act(correction, (input) =>
      keys.adminLog.around<object>({ act: 'clock.correct', by, details: input }, async () => {
        if (!clock.isJournalAhead) {
          return refuse(
            'UNPROCESSABLE',
            'this node’s newest entry is not ahead of the clock: there is nothing to correct',
          );
        }
        const done = await system.execute({ kind: 'node', id: nodeDid, action: 'correct-clock', input });
        return isRefusal(done) ? done : { seq: done.entry.seq, time: done.entry.core.time };
      }),
    ),
  };
}

/** The handlers that need only the database, for a command that opened it itself. */
export function keyHandlers(keys: ApiKeyRegistry, world: Environment, by: string): ControlHandlers {
  return {
    'api-key.create': act(newKey, async (asked) => {
      const { label = '', scope, did, expiresAt = null } = asked;
      if (expiresAt !== null && expiresAt <= world.now()) return invalid('expiresAt', 'must lie in the future');
      const outcome = await keys.createLogged(by, { label, scope, expiresAt, ...(did === undefined ? {} : { did }) });
      if (isRefusal(outcome)) return outcome;
      const { key, record } = outcome;
      return { ...record, key };
    }),
    'api-key.list': act(is.object({}), async () => ({ apiKeys: await keys.list() })),
    'api-key.revoke': act(keyId, ({ id }) =>
      keys.adminLog.around<object>(
        { act: 'api-key.revoke', by, details: { id } },
        async () => (await keys.revoke(id)) ?? refuse('NOT_FOUND', `there is no API key ${id}`),
      ),
    ),
  };
}
