/**
 * Status of the node (docs/reference/node.md#node-status).
 */
import { isRefusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { activitySchema, homeSchema, peerEvidenceSchema, peersSchema } from '../openapi/schemas/node.js';
import {
  type StatisticsPeriod,
  statisticsPeriods,
  statisticsSchema,
  statisticsView,
} from '../openapi/schemas/statistics.js';
import { type NodeFacts, nodeConfigSchema, nodeStatus, nodeStatusSchema } from '../render/node-view.js';
import { listReply, pageFields } from '../render/pagination.js';
import { activityEveryMs } from '../server/metrics.js';
import type { Route } from '../server/route.js';
import { didParameter } from './did-parameter.js';

const statisticsQuery = is.object({
  period: is.optional(
    is.oneOf(...(Object.keys(statisticsPeriods) as StatisticsPeriod[])),
    'The last 24 hours (`day`), the last 7 days, or the last 30; default `day`.',
  ),
});

export function nodeRoutes(facts: NodeFacts): Route[] {
  const seesPaths = ({ loopback, scope }: { loopback: boolean; scope?: string }): boolean =>
    loopback || scope === 'admin';
  return [
    {
      method: 'GET',
      path: '/api/v1/node',
      name: 'getNode',
      tag: 'Node',
      summary: 'Get the node’s status.',
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
      path: '/api/v1/homes/:home',
      name: 'getHome',
      tag: 'Node',
      summary: 'Get where a home serves its API: of another home as that home says.',
      scope: 'read',
      refuses: ['NOT_FOUND'],
      success: { status: 200, schema: homeSchema, description: 'where it is' },
      handle({ params: { home } }) {
        if (home !== facts.home()) return refuse('NOT_FOUND', `${home} is not a home that this node follows`);
        return { status: 200, body: facts.address() };
      },
    },
    {
      method: 'GET',
      path: '/api/v1/node/peers',
      name: 'listPeers',
      tag: 'Node',
      summary: 'List the peers of the node, in order of their DIDs.',
      scope: 'read',
      open: true,
      query: is.object(pageFields),
      success: { status: 200, schema: peersSchema, description: 'a page of peers' },
      handle(call) {
        const peers = facts.peers?.views() ?? [];
        // Strangers who know the addresses could attack the connections.
        const shown = call.caller.scope === 'admin' ? peers : peers.map((peer) => ({ ...peer, multiaddrs: [] }));
        return listReply(call, { name: 'peers', all: shown, position: ({ did }) => [did], order: 'ascending' });
      },
    },
    {
      method: 'GET',
      path: '/api/v1/node/peers/:did/evidence',
      name: 'getPeerEvidence',
      tag: 'Node',
      summary: 'Get the reason why the node no longer follows the feed of a home, with the evidence.',
      scope: 'read',
      open: true,
      refuses: ['NOT_FOUND'],
      success: { status: 200, schema: peerEvidenceSchema, description: 'the evidence against the home' },
      async handle(call) {
        const did = didParameter(call);
        if (isRefusal(did)) return did;
        const found = await facts.evidence(did);
        if (!found) return refuse('NOT_FOUND', `nothing is kept against ${did}`);
        return { status: 200, body: { ...found } };
      },
    },
    {
      method: 'GET',
      path: '/api/v1/node/config',
      name: 'getNodeConfig',
      tag: 'Node',
      summary: 'Get the node’s configuration, and where each value comes from, without secrets.',
      scope: 'read',
      open: true,
      success: { status: 200, schema: nodeConfigSchema, description: 'the configuration' },
      handle: ({ caller }) => ({ status: 200, body: facts.config(seesPaths(caller), true) }),
    },
    {
      method: 'GET',
      path: '/api/v1/node/activity',
      name: 'getNodeActivity',
      tag: 'Node',
      summary: 'Get requests, entries, latency and lag of this process in the last 15 minutes.',
      scope: 'read',
      success: {
        status: 200,
        schema: activitySchema,
        description: 'measurements at intervals of a few seconds, oldest first',
      },
      handle: () => ({ status: 200, body: { everyMs: activityEveryMs, points: facts.activity() } }),
    },
    {
      method: 'GET',
      path: '/api/v1/statistics',
      name: 'getStatistics',
      tag: 'Node',
      summary: 'Get transfers, trades, Tokens in escrow, open disputes and prices of the last day, week or month.',
      scope: 'read',
      query: statisticsQuery,
      success: { status: 200, schema: statisticsSchema, description: 'the statistics' },
      async handle({ query }) {
        const { period = 'day' } = query as is.TypeOf<typeof statisticsQuery>;
        return { status: 200, body: statisticsView(period, await facts.statistics(statisticsPeriods[period])) };
      },
    },
  ];
}
