/**
 * Status of the node (docs/reference/node.md#node-status).
 */

import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { activitySchema, peersSchema } from '../openapi/schemas/node.js';
import { type NodeFacts, nodeConfigSchema, nodeStatus, nodeStatusSchema } from '../render/node-view.js';
import { pageFields, pageOf, pagination } from '../render/pagination.js';
import { activityEveryMs } from '../server/metrics.js';
import type { Route } from '../server/route.js';

export function nodeRoutes(facts: NodeFacts): Route[] {
  const seesPaths = ({ loopback, scope }: { loopback: boolean; scope?: string }): boolean =>
    loopback || scope === 'admin';
  return [
    {
      method: 'GET',
      path: '/api/v1/node',
      name: 'getNode',
      tag: 'Node',
      summary: 'The node’s status.',
      scope: 'read',
      open: true,
      success: { status: 200, schema: nodeStatusSchema, description: 'the status' },
      handle: ({ caller }) => ({
        status: 200,
        body: nodeStatus(facts, { paths: seesPaths(caller), rpcUrl: caller.scope === 'admin' }),
      }),
    },
    {
      method: 'GET',
      path: '/api/v1/node/peers',
      name: 'listPeers',
      tag: 'Node',
      summary: 'The peers that the node is connected to.',
      scope: 'read',
      open: true,
      query: is.object(pageFields),
      success: { status: 200, schema: peersSchema, description: 'a page of peers' },
      handle(call) {
        const page = pageOf(call.query);
        return isRefusal(page)
          ? page
          : { status: 200, body: { peers: [], total: 0, pagination: pagination(page, 0, null) } };
      },
    },
    {
      method: 'GET',
      path: '/api/v1/node/config',
      name: 'getNodeConfig',
      tag: 'Node',
      summary: 'The node’s configuration, without secrets.',
      scope: 'read',
      open: true,
      success: { status: 200, schema: nodeConfigSchema, description: 'the configuration' },
      handle: ({ caller }) => ({ status: 200, body: facts.config(seesPaths(caller)) }),
    },
    {
      method: 'GET',
      path: '/api/v1/node/activity',
      name: 'getNodeActivity',
      tag: 'Node',
      summary: 'Requests, entries, latency and lag of the last quarter of an hour, of this process; kept in memory.',
      scope: 'read',
      success: { status: 200, schema: activitySchema, description: 'a point every few seconds, oldest first' },
      handle: () => ({ status: 200, body: { everyMs: activityEveryMs, points: facts.activity() } }),
    },
  ];
}
