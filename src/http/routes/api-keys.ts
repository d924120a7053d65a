/**
 * API keys over HTTP (docs/reference/access.md#api-keys, docs/reference/access.md#readers). They are local to the
 * database: no event and no nonce.
 */

import type { Environment } from '../../core/environment.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { ApiKey, ApiKeyRegistry, NewKey } from '../access/api-keys.js';
import { callerName } from '../access/caller.js';
import { pageSchema } from '../openapi/schemas/replies.js';
import { apiKeySchema, apiKeyView, createdApiKeySchema, createdApiKeyView } from '../render/api-key-view.js';
import { listReply, pageFields } from '../render/pagination.js';
import type { Call, RecordedReply, Reply, Route } from '../server/route.js';

const quota = is.integer(1, 1_000_000);

/** The label of any new key, created by an operator or a DID. */
export const keyLabel = is.optional(is.name(100), 'Your description.');

/** @param unless what applies if it is absent */
export const keyExpiry = (unless: string) =>
  is.optional(
    is.nullable(is.time),
    `When it expires: ISO 8601 with an offset, or epoch milliseconds. Default: ${unless}.`,
  );

const newKey = is.object({
  label: keyLabel,
  scope: is.described(
    is.oneOf('read', 'write', 'admin'),
    'What the key may do: `admin` includes `write`, which includes `read`.',
  ),
  did: is.optional(is.did, 'DID for which the key reads and signs; default: none.'),
  expiresAt: keyExpiry('never'),
  limits: is.optional(
    is.nullable(
      is.object({
        reads: is.optional(quota, 'Reads per minute.'),
        writes: is.optional(quota, 'Writes per minute.'),
      }),
    ),
    'Quotas of this key; default: those of all keys.',
  ),
});

const listQuery = is.object({
  ...pageFields,
  did: is.optional(is.did, 'Keys that are bound to this DID.'),
  expiresSoon: is.optional(is.boolean, 'Only those that expire within 14 days, or only all others.'),
});

const root = '/api/v1/admin/api-keys';
export const tag = 'API keys';
export const apiKeysSchema = pageSchema('apiKeys', apiKeySchema);
export const unknownKey = (id: string): Refusal => refuse('NOT_FOUND', `no API key ${id}`);

export function apiKeyRoutes(keys: ApiKeyRegistry, world: Pick<Environment, 'now'>): Route[] {
  return [...makingRoutes(keys, world), ...listRoutes(keys), ...endingRoutes(keys)];
}

export const shown = { status: 200, schema: apiKeySchema, description: 'the key, without its secret' } as const;
const base = { tag, scope: 'admin' } as const;

export const keyReply = (id: string, record: ApiKey | undefined): Reply | Refusal =>
  record ? { status: 200, body: apiKeyView(record) } : unknownKey(id);

export const revoked = (keys: ApiKeyRegistry, call: Call, id: string): Promise<Reply | Refusal> =>
  keys.adminLog.around({ act: 'api-key.revoke', by: callerName(call.caller), details: { id } }, async () =>
    keyReply(id, await keys.revoke(id)),
  );

/** The key itself is not stored. */
export const replayOf = (keys: ApiKeyRegistry): RecordedReply => ({
  madeBy: ({ id }) => String(id),
  async again(id) {
    const record = await keys.get(id);
    return record ? createdApiKeyView({ ...record, key: null }) : unknownKey(id);
  },
});

function makingRoutes(keys: ApiKeyRegistry, world: Pick<Environment, 'now'>): Route[] {
  return [
    {
      ...base,
      method: 'POST',
      path: root,
      name: 'createApiKey',
      summary: 'Create an API key; the reply shows it once.',
      body: newKey,
      example: { label: 'monitoring', scope: 'read' },
      success: { status: 201, schema: createdApiKeySchema, description: 'the key' },
      replay: replayOf(keys),
      handle(call) {
        const { label = '', ...options } = call.body as is.TypeOf<typeof newKey>;
        return created(keys, call, { world, location: root }, { label, ...options });
      },
    },
  ];
}

function listRoutes(keys: ApiKeyRegistry): Route[] {
  return [
    {
      ...base,
      method: 'GET',
      path: root,
      name: 'listApiKeys',
      summary: 'List all API keys, newest first, without their secrets.',
      query: listQuery,
      success: { status: 200, schema: apiKeysSchema, description: 'a page of keys' },
      async handle(call) {
        const { did, expiresSoon } = call.query as is.TypeOf<typeof listQuery>;
        const all = await keys.list(did);
        return listedKeys(expiresSoon === undefined ? all : all.filter((key) => key.expiresSoon === expiresSoon), call);
      },
    },
    {
      ...base,
      method: 'GET',
      path: `${root}/:id`,
      name: 'getApiKey',
      summary: 'Get one API key, without its secret.',
      success: shown,
      handle: async ({ params: { id = '' } }) => keyReply(id, await keys.get(id)),
    },
  ];
}

function endingRoutes(keys: ApiKeyRegistry): Route[] {
  return [
    {
      ...base,
      method: 'POST',
      path: `${root}/:id/revoke`,
      name: 'revokeApiKey',
      body: is.object({}),
      summary: 'Revoke an API key. It stays in the list.',
      success: shown,
      example: {},
      async handle(call) {
        const { id = '' } = call.params;
        return revoked(keys, call, id);
      },
    },
    {
      ...base,
      method: 'DELETE',
      path: `${root}/:id`,
      name: 'deleteApiKey',
      summary: 'Remove a key from the list, revoked or not.',
      success: { status: 204, description: 'removed' },
      async handle(call) {
        const { id = '' } = call.params;
        const act = { act: 'api-key.remove', by: callerName(call.caller), details: { id } };
        return keys.adminLog.around<Reply>(act, async () =>
          (await keys.remove(id)) ? { status: 204 } : unknownKey(id),
        );
      },
    },
  ];
}

/** A page of the keys. */
export const listedKeys = (all: readonly ApiKey[], call: Call): Reply | Refusal =>
  listReply(call, {
    name: 'apiKeys',
    all,
    position: ({ createdAt, id }) => [createdAt, id],
    view: (record) => apiKeyView(record),
  });

export async function created(
  keys: ApiKeyRegistry,
  call: Call,
  { world, location }: { readonly world: Pick<Environment, 'now'>; readonly location: string },
  options: is.TypeOf<typeof newKey> & Pick<NewKey, 'label' | 'mostOfDid'>,
): Promise<Reply | Refusal> {
  const { expiresAt } = options;
  if (typeof expiresAt === 'number' && expiresAt <= world.now()) {
    return invalid('expiresAt', 'must lie in the future');
  }
  const outcome = await keys.createLogged(callerName(call.caller), options as NewKey);
  if (isRefusal(outcome)) return outcome;
  const { record, key } = outcome;
  return {
    status: 201,
    body: createdApiKeyView({ ...record, key }),
    headers: { Location: `${location}/${record.id}` },
  };
}
