/**
 * The API keys of a DID, for its holder (docs/reference/access.md#bound-keys): created with the passphrase; listed and
 * revoked with a key that is bound to the DID, or by an operator.
 */
import { bounds, dayMs } from '../../core/bounds.js';
import { parseDid } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { reaches } from '../access/access.js';
import type { ApiKey, ApiKeyRegistry } from '../access/api-keys.js';
import type { Caller, Scope } from '../access/caller.js';
import { passphraseOfDid } from '../context/signed-body.js';
import { createdApiKeySchema } from '../render/api-key-view.js';
import { pageFields } from '../render/pagination.js';
import type { Call, Reply, Route } from '../server/route.js';
import {
  apiKeysSchema,
  created,
  keyExpiry,
  keyLabel,
  keyReply,
  listedKeys,
  replayOf,
  revoked,
  shown,
  tag,
  unknownKey,
} from './api-keys.js';
import { didParameter } from './did-parameter.js';

/** Whether the passphrase opens the DID's key; failures count against the caller. */
export type Unlock = (caller: Caller, did: string, passphrase: string) => Promise<unknown | Refusal>;

const newOwnKey = is.object({
  passphrase: passphraseOfDid,
  label: keyLabel,
  scope: is.optional(is.oneOf('read', 'write'), 'What it may do; default `read`. `write` includes `read`.'),
  expiresAt: keyExpiry(`after ${bounds.didKeyDefaultMs / dayMs} days`),
});

const root = '/api/v1/identities/:did/api-keys';
const base = { tag, scope: 'read' } as const;
const rootOf = (did: string): string => `/api/v1/identities/${encodeURIComponent(did)}/api-keys`;

export function ownApiKeyRoutes(keys: ApiKeyRegistry, unlock: Unlock, world: Pick<Environment, 'now'>): Route[] {
  return [makingRoute(keys, unlock, world), ...seeingRoutes(keys), endingRoute(keys)];
}

/**
 * A holder of the passphrase may create a key that reads, or signs, for the DID; never one with more scope than the
 * caller.
 */
function makingRoute(keys: ApiKeyRegistry, unlock: Unlock, world: Pick<Environment, 'now'>): Route {
  return {
    ...base,
    method: 'POST',
    path: root,
    name: 'createOwnApiKey',
    refuses: ['FORBIDDEN'],
    summary: 'Create an API key that is bound to a DID, with the passphrase of the DID; the reply shows it once.',
    body: newOwnKey,
    example: { passphrase: 'correct horse battery staple', scope: 'read' },
    success: { status: 201, schema: createdApiKeySchema, description: 'the key' },
    replay: {
      ...replayOf(keys),
      async authorise({ caller, params, body }) {
        const did = parseDid(params.did ?? '');
        if (did === undefined) return undefined; // refused by the handler
        const signer = await unlock(caller, did, String(body.passphrase));
        return isRefusal(signer) ? signer : undefined;
      },
    },
    async handle(call) {
      const { passphrase, label = '', scope = 'read', ...times } = call.body as is.TypeOf<typeof newOwnKey>;
      const did = didParameter(call);
      if (isRefusal(did)) return did;
      const refused = mayHave(call, did, scope);
      if (refused) return refused;
      const now = world.now();
      const expiresAt = times.expiresAt ?? now + bounds.didKeyDefaultMs;
      if (expiresAt > now + bounds.didKeyLongestMs) return invalid('expiresAt', 'must lie within 366 days');
      if (expiresAt <= now) return invalid('expiresAt', 'must lie in the future');
      const signer = await unlock(call.caller, did, passphrase);
      if (isRefusal(signer)) return signer;
      const mostOfDid = bounds.apiKeysPerDid;
      return created(keys, call, { world, location: rootOf(did) }, { label, scope, did, expiresAt, mostOfDid });
    },
  };
}

function mayHave({ caller }: Call, did: string, scope: Scope): Refusal | undefined {
  if (caller.did !== undefined && caller.did !== did) {
    return refuse('FORBIDDEN', 'the API key is bound to another DID');
  }
  if (scope === 'read' || caller.scope === 'write' || caller.scope === 'admin') return undefined;
  return refuse('FORBIDDEN', 'a key cannot create a key with a wider scope than its own');
}

function seeingRoutes(keys: ApiKeyRegistry): Route[] {
  return [
    {
      ...base,
      method: 'GET',
      path: root,
      name: 'listOwnApiKeys',
      refuses: ['FORBIDDEN'],
      summary:
        'List the API keys that are bound to a DID, newest first, without their secrets. Needs a key that is bound to the DID.',
      query: is.object(pageFields),
      success: { status: 200, schema: apiKeysSchema, description: 'a page of keys' },
      async handle(call) {
        const did = holdersDid(call);
        return isRefusal(did) ? did : listedKeys(await keys.list(did), call);
      },
    },
    {
      ...base,
      method: 'GET',
      path: `${root}/:id`,
      name: 'getOwnApiKey',
      refuses: ['FORBIDDEN', 'NOT_FOUND'],
      summary: 'Get one API key that is bound to a DID, without its secret. Needs a key that is bound to the DID.',
      success: shown,
      async handle(call) {
        const own = await ownKey(keys, call);
        return isRefusal(own) ? own : keyReply(own.id, own);
      },
    },
  ];
}

function endingRoute(keys: ApiKeyRegistry): Route {
  return {
    ...base,
    method: 'POST',
    path: `${root}/:id/revoke`,
    name: 'revokeOwnApiKey',
    body: is.object({}),
    refuses: ['FORBIDDEN', 'NOT_FOUND'],
    summary:
      'Revoke an API key that is bound to a DID. Needs a key that is bound to the DID and has at least the same scope.',
    example: {},
    success: shown,
    async handle(call): Promise<Reply | Refusal> {
      const own = await ownKey(keys, call);
      if (isRefusal(own)) return own;
      if (!reaches(call.caller.scope, own.scope)) {
        return refuse('FORBIDDEN', 'a key cannot revoke a key with a wider scope than its own');
      }
      return revoked(keys, call, own.id);
    },
  };
}

/** The key in the path; NOT_FOUND also if it belongs to another DID. */
async function ownKey(keys: ApiKeyRegistry, call: Call): Promise<ApiKey | Refusal> {
  const did = holdersDid(call);
  if (isRefusal(did)) return did;
  const { id = '' } = call.params;
  const record = await keys.get(id);
  return record?.did === did ? record : unknownKey(id);
}

/**
 * The DID in the path, if the caller's key is bound to it or is an operator's. A passphrase is needed only to create a
 * key.
 */
function holdersDid(call: Call): string | Refusal {
  const did = didParameter(call);
  if (isRefusal(did) || isHolders(call.caller, did)) return did;
  return refuse('FORBIDDEN', 'this needs an API key bound to the DID, or admin scope');
}

const isHolders = (caller: Caller, did: string): boolean => caller.did === did || caller.scope === 'admin';
