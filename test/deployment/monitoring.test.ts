/** The dashboard and the alerts use metrics that a node has, and docs/operations.md describes every alert. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { Metrics } from '../../src/http/server/metrics.js';
import { peerMetrics, storeMetrics } from '../../src/node/metrics.js';
import { figuresOf } from '../../src/store/mongo/figures.js';
import { TestNode } from '../node/support/node.js';

const dashboardText = readFileSync('deploy/grafana/svc-node.json', 'utf8');
const alertsText = readFileSync('deploy/prometheus/alerts.yaml', 'utf8');
const operations = readFileSync('docs/operations.md', 'utf8');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly datasource: Panel['datasource'] }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

const dashboard = JSON.parse(dashboardText) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
};
const rules = (parse(alertsText) as { groups: readonly { rules: readonly Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...rules.map(({ expr }) => expr),
];

/** Prometheus itself provides `up`. */
const metricsIn = (expression: string): string[] => [
  ...new Set(expression.replace(/"[^"]*"/g, '""').match(/\b(?:svc|process|nodejs)_[a-z0-9_]+/g) ?? []),
];

/** Whether every bracket is closed. */
function isBalanced(expression: string): boolean {
  const open: string[] = [];
  for (const sign of expression.replace(/"[^"]*"/g, '').match(/[()[\]{}]/g) ?? []) {
    if ('([{'.includes(sign)) open.push(sign);
    else if (open.pop() !== { ')': '(', ']': '[', '}': '{' }[sign]) return false;
  }
  return open.length === 0;
}

describe('Dashboard and alerts', () => {
  let served: ReadonlyMap<string, readonly string[]>;
  let counters: ReadonlySet<string>;

  /** Names of time series with their labels. */
  function seriesIn(text: string): Map<string, readonly string[]> {
    const found = new Map<string, readonly string[]>();
    for (const [, name, labels = ''] of text.matchAll(/^([a-z][a-z0-9_]*)(?:\{([^}]*)\})? /gm)) {
      found.set(
        name!,
        [...labels.matchAll(/([a-z_]+)="/g)].map(([, label]) => label!),
      );
    }
    return found;
  }

  before(async () => {
    // With a chain, so that the settlement metrics exist; its start is not awaited.
    const node = await TestNode.start({ variables: { SVC_CHAIN: 'embedded' } });
    await node.client.get('/api/v1/node');
    const { text } = await node.client.get('/metrics');
    await node.discard();
    // Metrics that only a store shared by several processes has.
    const metrics = new Metrics();
    const figures = figuresOf({} as never).map((figure) => ({ ...figure, read: () => 0 }));
    storeMetrics(metrics, { shared: { figures } } as never, undefined as never);
    const peer = { did: 'did', direction: 'none', lagMs: 0, head: 0, followed: 0, status: 'current' };
    const inbound = { crowded: 0 };
    peerMetrics(metrics, {
      views: () => [peer],
      counts: () => ({ sent: 0, inbound, heard: [['forged', 0]] }),
    } as never);
    const texts = [text, await metrics.text()];
    served = new Map(texts.flatMap((each) => [...seriesIn(each)]));
    counters = new Set(
      texts.flatMap((each) => [...each.matchAll(/^# TYPE (\w+) counter$/gm)].map(([, name]) => name!)),
    );
  });

  it('name metrics that there are', () => {
    const named = [...new Set(expressions.flatMap(metricsIn))];
    expect(named.length).to.be.above(30);
    expect(named.filter((name) => !served.has(name))).to.deep.equal([]);
  });

  it('name labels that there are', () => {
    const ofPrometheus = ['job', 'instance', 'le'];
    for (const expression of expressions) {
      for (const [, name, labels] of expression.matchAll(/\b((?:svc|process|nodejs)_[a-z0-9_]+)\{([^}]*)\}/g)) {
        const asked = [...labels!.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!);
        const known = [...served.get(name!)!, ...ofPrometheus];
        expect(
          asked.filter((label) => !known.includes(label)),
          expression,
        ).to.deep.equal([]);
      }
    }
  });

  it('leave out no metric of ours but what a sum has already', () => {
    const named = new Set(expressions.flatMap(metricsIn).map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    const ours = [...served.keys()]
      .filter((name) => name.startsWith('svc_'))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    const left = [...new Set(ours)].filter((name) => !named.has(name));
    expect(left).to.have.members([
      'svc_store',
      ...['svc_store_rounds_total', 'svc_store_pools_cleared_total'],
      ...['svc_store_heartbeats_failed_total', 'svc_store_renewals_total'],
    ]);
  });

  it('show of a counter how fast it grows', () => {
    // Used without a rate, because a single increase since the start is reason for an alert.
    const everCounts = 'svc_settlement_reverts_total';
    const isBare = (expression: string, name: string): boolean =>
      expression
        .split(name)
        .slice(0, -1)
        .some((before) => !/\b(?:rate|increase)\($/.test(before));
    const bare = expressions.filter((expression) =>
      metricsIn(expression).some((name) => name !== everCounts && counters.has(name) && isBare(expression, name)),
    );
    expect(bare).to.deep.equal([]);
    expect([...counters]).to.include.members(['svc_peer_connections_refused', 'svc_peer_checkpoints_heard']);
  });

  it('are well-formed expressions', () => {
    for (const expression of expressions) expect(isBalanced(expression), expression).to.equal(true);
    expect(isBalanced('sum(rate(a[5m])')).to.equal(false);
    expect(isBalanced('sum(rate(a[5m)])')).to.equal(false);
  });

  it('the dashboard shows the data source that its variable names, and no host', () => {
    const uid = `\${${'datasource'}}`;
    expect(dashboard.templating.list[0]).to.include({ name: 'datasource', type: 'datasource' });
    for (const panel of dashboard.panels.filter(({ type }) => type !== 'row')) {
      expect(panel.targets?.length, panel.title).to.be.above(0);
      for (const each of [panel, ...panel.targets!]) expect(each.datasource).to.deep.equal({ type: 'prometheus', uid });
      expect(panel.description, panel.title).to.be.a('string').that.is.not.empty;
    }
    expect(dashboardText).not.to.match(/https?:\/\/|localhost|\d+\.\d+\.\d+\.\d+|:9528/);
    const variables = dashboard.templating.list.map(({ name }) => name);
    const used = expressions.flatMap((each) => [...each.matchAll(/\$(\w+)/g)].map(([, name]) => name!));
    expect([...new Set(used)].filter((name) => !variables.includes(name) && !name.startsWith('__'))).to.deep.equal([
      ...[...new Set(used)].filter((name) => name === 'labels' || name === 'value'),
    ]);
  });

  it('the panels do not overlap', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w, title).to.be.at.most(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`), title).to.equal(false);
          taken.add(`${x} ${y}`);
        }
      }
    }
  });

  it('each alert has a severity, a time and a summary, and a place in docs/operations.md', () => {
    const table = operations.slice(operations.indexOf('| alert |'), operations.indexOf('## Backup and restore'));
    const documented = [...new Set(table.match(/\bSvc[A-Z]\w+/g))];
    expect(rules.map(({ alert }) => alert)).to.have.members(documented);
    expect(new Set(rules.map(({ alert }) => alert)).size).to.equal(rules.length);
    for (const { alert, for: time, labels, annotations } of rules) {
      expect(labels.severity, alert).to.be.oneOf(['critical', 'warning']);
      expect(time, alert).to.match(/^\d+[smh]$/);
      expect(annotations.summary, alert).to.be.a('string').that.is.not.empty;
    }
  });
});
