/**
 * API keys over HTTP (decisions.md, API keys; General, who reads). They are local to the database: no event, no
 * nonce, and no replay, because the key itself is kept nowhere.
 */
import { bounds } from '../../config.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../machines/kernel/refusal.js';
import * as is from '../../machines/kernel/scalar.js';
import type { World } from '../../world.js';
import type { ApiKeys } from '../api-keys.js';
import { pageFields, pageOf, pagination, slicePage } from '../pagination.js';
import type { Call, Reply, Route, Scope } from '../route.js';
import { apiKeySchema, apiKeysSchema, createdApiKeySchema } from '../schemas/api-keys.js';

/** Whether the passphrase opens the DID's key; `guesser` (key id or address) is whom failures count against. */
export type Unlock = (did: string, passphrase: string, guesser: string) => Promise<unknown | Refusal>;

const quota = is.integer(1, 1_000_000);

const newKey = is.object({
  label: is.optional(is.text(100)),
  scope: is.oneOf('read', 'write', 'admin'),
  did: is.optional(is.did),
  expiresAt: is.optional(is.nullable(is.time)),
  limits: is.optional(is.nullable(is.object({ reads: is.optional(quota), writes: is.optional(quota) }))),
});

const newOwnKey = is.object({
  passphrase: is.secret(is.text(1024, 1)),
  label: is.optional(is.text(100)),
  scope: is.optional(is.oneOf('read', 'write')),
  expiresAt: is.optional(is.nullable(is.time)),
});

const listQuery = is.object({ ...pageFields, did: is.optional(is.did) });

const root = '/api/v1/admin/api-keys';
const tag = 'API keys';
const byWhom = ({ caller }: Call): string => caller.keyId ?? caller.origin;
const unknownKey = (id: string): Refusal => refuse('NOT_FOUND', `no API key ${id}`);

export function apiKeyRoutes(keys: ApiKeys, unlock: Unlock, world: Pick<World, 'now'>): Route[] {
  return [...makingRoutes(keys, world), ...listRoutes(keys), ...endingRoutes(keys), ownKeyRoute(keys, unlock, world)];
}

const shown = { status: 200, schema: apiKeySchema, description: 'the key, without its secret' } as const;
const base = { tag, scope: 'admin' } as const;

const found = (id: string, record: object | undefined): Reply | Refusal =>
  record ? { status: 200, body: { ...record } } : unknownKey(id);

function makingRoutes(keys: ApiKeys, world: Pick<World, 'now'>): Route[] {
  return [
    {
      ...base,
      method: 'POST',
      path: root,
      name: 'createApiKey',
      summary: 'Make an API key; the reply shows it once.',
      body: newKey,
      example: { label: 'monitoring', scope: 'read' },
      success: { status: 201, schema: createdApiKeySchema, description: 'the key' },
      handle(call) {
        const { label = '', ...options } = call.body as is.TypeOf<typeof newKey>;
        return created(keys, call, world, { label, ...options });
      },
    },
  ];
}

function listRoutes(keys: ApiKeys): Route[] {
  return [
    {
      ...base,
      method: 'GET',
      path: root,
      name: 'listApiKeys',
      summary: 'All API keys, newest first, without their secrets.',
      query: listQuery,
      success: { status: 200, schema: apiKeysSchema, description: 'a page of keys' },
      async handle({ query }) {
        const page = pageOf(query);
        if (isRefusal(page)) return page;
        const all = (await keys.list()).filter((each) => query.did === undefined || each.did === query.did);
        const { items, next } = slicePage(all, page);
        return {
          status: 200,
          body: { apiKeys: items, total: all.length, pagination: pagination(page, all.length, next) },
        };
      },
    },
    {
      ...base,
      method: 'GET',
      path: `${root}/:id`,
      name: 'getApiKey',
      summary: 'One API key, without its secret.',
      success: shown,
      handle: async ({ params: { id = '' } }) => found(id, await keys.get(id)),
    },
  ];
}

function endingRoutes(keys: ApiKeys): Route[] {
  return [
    {
      ...base,
      method: 'POST',
      path: `${root}/:id/revoke`,
      name: 'revokeApiKey',
      summary: 'From now on the key is refused; it stays in the list.',
      success: shown,
      example: {},
      async handle(call) {
        const { id = '' } = call.params;
        const record = await keys.revoke(id);
        if (record) await keys.record('api-key.revoke', byWhom(call), { id });
        return found(id, record);
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
        if (!(await keys.remove(id))) return unknownKey(id);
        await keys.record('api-key.remove', byWhom(call), { id });
        return { status: 204 };
      },
    },
  ];
}

/** Whoever can unlock a DID may have a key that reads, or signs, for it; never one that can do more than the caller. */
function ownKeyRoute(keys: ApiKeys, unlock: Unlock, world: Pick<World, 'now'>): Route {
  return {
    method: 'POST',
    path: '/api/v1/identities/:did/api-keys',
    name: 'createOwnApiKey',
    tag,
    summary: 'Make an API key bound to a DID that the passphrase unlocks; the reply shows it once.',
    scope: 'read',
    body: newOwnKey,
    example: { passphrase: 'correct horse battery staple', scope: 'read' },
    success: { status: 201, schema: createdApiKeySchema, description: 'the key' },
    async handle(call) {
      const { passphrase, label = '', scope = 'read', ...times } = call.body as is.TypeOf<typeof newOwnKey>;
      const did = is.parse(is.object({ did: is.did }), { did: call.params.did });
      if (isRefusal(did)) return did;
      const refused = mayHave(call, did.did, scope);
      if (refused) return refused;
      const now = world.now();
      const expiresAt = times.expiresAt ?? now + bounds.didKeyDefaultMs;
      if (expiresAt > now + bounds.didKeyLongestMs) return invalid('expiresAt', 'must lie within 366 days');
      if (expiresAt <= now) return invalid('expiresAt', 'must lie in the future');
      const signer = await unlock(did.did, passphrase, byWhom(call));
      if (isRefusal(signer)) return signer;
      const own = (await keys.list()).filter((each) => each.did === did.did && each.status === 'active');
      if (own.length >= bounds.apiKeysPerDid) {
        return refuse('CONFLICT', `this DID has ${bounds.apiKeysPerDid} keys; an operator can revoke some`);
      }
      return created(keys, call, world, { label, scope, did: did.did, expiresAt });
    },
  };
}

function mayHave({ caller }: Call, did: string, scope: Scope): Refusal | undefined {
  if (caller.did !== undefined && caller.did !== did) {
    return refuse('FORBIDDEN', 'the API key is bound to another DID');
  }
  if (scope === 'read' || caller.scope === 'write' || caller.scope === 'admin') return undefined;
  return refuse('FORBIDDEN', 'a key cannot make one with a wider scope than its own');
}

async function created(
  keys: ApiKeys,
  call: Call,
  world: Pick<World, 'now'>,
  options: is.TypeOf<typeof newKey> & { readonly label: string },
): Promise<Reply | Refusal> {
  const { expiresAt } = options;
  if (typeof expiresAt === 'number' && expiresAt <= world.now()) {
    return invalid('expiresAt', 'must lie in the future');
  }
  const outcome = await keys.create(options as Parameters<ApiKeys['create']>[0]);
  if (isRefusal(outcome)) return outcome;
  const { record, key } = outcome;
  const { id, scope, did = null } = record;
  await keys.record('api-key.create', byWhom(call), { id, scope, did });
  return { status: 201, body: { ...record, key }, headers: { Location: `${root}/${id}` } };
}
