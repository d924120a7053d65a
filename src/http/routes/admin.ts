/**
 * Operators' actions with an admin key (docs/reference/access.md#operators).
 */

import type { Queries } from '../../../packages/client/src/wire.js';
import type { Accepted } from '../../actors/command.js';
import type { SystemRequest, SystemWriter } from '../../actors/system.js';
import { bounds } from '../../core/bounds.js';
import { type Code, codes, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { balanceSchema, balanceView } from '../../machines/account/view.js';
import type { AdminLog, Details } from '../access/admin-log.js';
import type { ApiKeyRegistry } from '../access/api-keys.js';
import { callerName } from '../access/caller.js';
import type { ApiContext } from '../context/api-context.js';
import { passphraseOfDid } from '../context/signed-body.js';
import { adminLogSchema, lockSchema, requestLogSchema } from '../openapi/schemas/admin.js';
import { systemWritten } from '../openapi/schemas/replies.js';
import { listReply, pageFields } from '../render/pagination.js';
import { systemTransferSchema, systemTransferView } from '../render/transfer-view.js';
import { systemForm } from '../render/write-view.js';
import type { RequestLog } from '../server/request-log.js';
import type { Call, Reply, Route } from '../server/route.js';
import { didParameter } from './did-parameter.js';

const nothing = is.object({});
/** Undefined for a replayed reply, because an earlier request did the write. */
export const eventOf = ({ entry, replayed }: Accepted): Details | undefined =>
  replayed ? undefined : { eventHash: entry.core.event.hash };

export function adminRoutes(api: ApiContext, system: SystemWriter, log: AdminLog): Route[] {
  const { keystore } = api;

  async function act(
    call: Call,
    request: SystemRequest,
    reply: (accepted: Accepted) => Promise<object>,
  ): Promise<Reply | Refusal> {
    const idempotency = api.writes.idempotency(call, callerName(call.caller), 200);
    if (isRefusal(idempotency)) return idempotency;
    const accepted = await log.around(
      { act: `${request.kind}.${request.action}`, by: callerName(call.caller), details: { id: request.id } },
      () => system.execute({ ...request, idempotency }),
      eventOf,
    );
    if (isRefusal(accepted)) return accepted;
    const view = await reply(accepted);
    return api.writes.answer(accepted, 200, ({ entry }, receipt) => ({
      ...view,
      ...systemForm.view({ entry, receipt }),
    }));
  }

  const freezing = (action: 'freeze' | 'unfreeze'): Route => ({
    method: 'POST',
    path: `/api/v1/admin/accounts/:did/actions/${action}`,
    name: `${action}Account`,
    tag: 'Admin',
    summary:
      action === 'freeze'
        ? 'Freeze an account: the node refuses its debits. Tokens in escrow still follow their rules.'
        : 'Unfreeze an account.',
    scope: 'admin',
    refuses: ['CONFLICT', 'UNPROCESSABLE'],
    body: nothing,
    example: {},
    success: { status: 200, schema: systemWritten(balanceSchema), description: 'the updated account' },
    async handle(call) {
      const did = didParameter(call);
      if (isRefusal(did)) return did;
      // A replayed reply shows the state after the original request, whatever has happened since.
      return act(call, { kind: 'account', id: did, action, input: {} }, async ({ entry }) => ({
        ...balanceView(await api.committed.account(did)),
        ...{ frozen: action === 'freeze', seq: entry.seq },
      }));
    },
  });

  const collect: Route = {
    method: 'POST',
    path: '/api/v1/admin/fees/actions/withdraw',
    name: 'withdrawFees',
    refuses: ['CONFLICT', 'INSUFFICIENT_BALANCE', 'UNPROCESSABLE'],
    tag: 'Admin',
    summary: 'Pay collected fees to an account.',
    scope: 'admin',
    body: is.object({
      to: is.described(is.account, 'DID or address that gets the fees.'),
      amount: is.described(is.amount, 'Tokens.'),
    }),
    example: { to: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH', amount: 1 },
    success: { status: 200, schema: systemTransferSchema, description: 'the transfer' },
    async handle(call) {
      const { to, amount } = call.body as { to: string; amount: number };
      const idempotency = api.writes.idempotency(call, callerName(call.caller), 200);
      if (isRefusal(idempotency)) return idempotency;
      const accepted = await log.around(
        { act: 'fees.withdraw', by: callerName(call.caller), details: { to, amount } },
        () => system.execute({ kind: 'account', id: to, action: 'collect', input: { to, amount }, idempotency }),
        eventOf,
      );
      return api.writes.answer(accepted, 200, ({ entry }, receipt) =>
        systemTransferView({ entry, receipt, hasChain: api.views.hasChain }),
      );
    },
  };

  const unlock: Route = {
    method: 'POST',
    path: '/api/v1/admin/identities/:did/actions/unlock',
    name: 'unlockIdentity',
    tag: 'Admin',
    summary:
      'Keep the key of a DID unlocked until you lock it or the node stops, for callers whose API key is bound to the DID.',
    scope: 'admin',
    body: is.object({ passphrase: passphraseOfDid }),
    example: { passphrase: 'correct horse battery staple' },
    success: { status: 200, schema: lockSchema, description: 'whether the key is unlocked now' },
    async handle(call) {
      const did = didParameter(call);
      if (isRefusal(did)) return did;
      const { passphrase } = call.body as { passphrase: string };
      const by = callerName(call.caller);
      return log.around<Reply>({ act: 'identity.unlock', by, details: { did } }, async () => {
        const refusal = await keystore.hold(did, passphrase, by);
        return refusal ?? { status: 200, body: { did, unlocked: true } };
      });
    },
  };

  const lock: Route = {
    method: 'POST',
    path: '/api/v1/admin/identities/:did/actions/lock',
    name: 'lockIdentity',
    refuses: ['DID_NOT_FOUND', 'UNPROCESSABLE'],
    tag: 'Admin',
    summary: 'Lock the key of a DID again.',
    scope: 'admin',
    body: nothing,
    example: {},
    success: { status: 200, schema: lockSchema, description: 'whether the key is unlocked now' },
    async handle(call) {
      const did = didParameter(call);
      if (isRefusal(did)) return did;
      if (did === api.nodeDid) return refuse('UNPROCESSABLE', 'the node’s own key stays unlocked while it runs');
      if (!(await keystore.has(did))) return refuse('DID_NOT_FOUND', `${did} is not in this keystore`);
      return log.around<Reply>({ act: 'identity.lock', by: callerName(call.caller), details: { did } }, () => {
        keystore.release(did);
        return { status: 200, body: { did, unlocked: false } };
      });
    },
  };
  return [freezing('freeze'), freezing('unfreeze'), collect, unlock, lock];
}

const requestLogFields = is.object({
  method: is.optional(is.oneOf('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'), 'Method.'),
  route: is.optional(is.text(200), 'Pattern of the route: `/api/v1/escrows/:escrowId`.'),
  caller: is.optional(is.text(200), 'Id of the API key, or the address without a key.'),
  minStatus: is.optional(
    is.integer(100, 599),
    'Only answers with this status or a higher one: 400 for all that failed.',
  ),
  code: is.optional(is.oneOf(...(Object.keys(codes) as Code[])), 'Only those that were refused with this code.'),
  minMs: is.optional(is.integer(0), 'Only those that took so many milliseconds or more.'),
  before: is.optional(is.integer(1), '`next` of the page before: continues with older ones.'),
  limit: is.optional(is.integer(1, 100), 'Requests a page at most; default 50.'),
});

export const requestLogRoute = (requests: Pick<RequestLog, 'page'>): Route => ({
  method: 'GET',
  path: '/api/v1/admin/requests',
  name: 'listRequests',
  tag: 'Admin',
  summary: `List the newest requests that this process has answered, up to ${bounds.requestsLogged} since its start, newest first.`,
  scope: 'admin',
  query: requestLogFields,
  success: { status: 200, schema: requestLogSchema, description: 'a page of requests' },
  handle: ({ query }) => ({ status: 200, body: requests.page(query as Queries['listRequests']) }),
});

export const adminLogRoute = (keys: ApiKeyRegistry): Route => ({
  method: 'GET',
  path: '/api/v1/admin/log',
  name: 'listAdminLog',
  tag: 'Admin',
  summary:
    'List what operators did, newest first: keys created and revoked, accounts frozen, fees withdrawn, DIDs unlocked.',
  scope: 'admin',
  query: is.object(pageFields),
  success: { status: 200, schema: adminLogSchema, description: 'a page of the admin log' },
  async handle(call) {
    return listReply(call, { name: 'acts', all: await keys.adminLog.list(), position: ({ id }) => [id] });
  },
});
