/**
 * The commands of the control socket (docs/reference/access.md#operators). Each command that changes something is written
 * to the admin log as an act of `control`.
 */

import type { JsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { ApiKeyRegistry } from '../../http/access/api-keys.js';
import type { Keystore } from '../../keys/keystore.js';
import { backup } from '../../store/sqlite/backup.js';
import { act } from './act.js';
import type { ControlHandlers } from './control.js';
import { type PeerCommandParts, peerHandlers } from './peer-handlers.js';

export interface ControlParts extends PeerCommandParts {
  readonly keys: ApiKeyRegistry;
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
}

/** The actor in the admin log, and the origin that wrong passphrases count against. */
const by = 'control';

const newKey = is.object({
  label: is.text(100),
  scope: is.oneOf('read', 'write', 'admin'),
  did: is.optional(is.did),
  expiresAt: is.optional(is.time),
});
const keyId = is.object({ id: is.text(128, 1) });
const did = is.object({ did: is.did });
const unlocking = is.object({ did: is.did, passphrase: is.secret(is.text(4096, 1)) });
const file = is.object({ file: is.text(4096, 1) });

export function controlHandlers({
  keys,
  keystore,
  nodeDid,
  dataDir,
  isEmbedded,
  world,
  status,
  chain,
  peering,
}: ControlParts): ControlHandlers {
  return {
    ...keyHandlers(keys, world, by),
    ...peerHandlers({ peering }, keys, by),
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

/** The handlers that need only the database, for a command that opened it itself. */
export function keyHandlers(keys: ApiKeyRegistry, world: Environment, by: string): ControlHandlers {
  return {
    'api-key.create': act(newKey, async (asked) => {
      const { label, scope, did, expiresAt = null } = asked;
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
