/** The definitions of all kinds over HTTP: charts in every format, and invalid requests. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type AnyStateMachine, type AnyStateNode, createMachine } from 'xstate';
import { Client as TypedClient } from '../../packages/client/src/index.js';
import { covered } from '../../scripts/generate/layout/score.js';
import { csvCell } from '../../src/http/charts/table.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { changeNamed } from '../../src/machines/kernel/machine-functions.js';
import { guardNames } from '../../src/machines/kernel/stepper.js';
import { definitionVersion } from '../../src/machines/kernel/versioning.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { nodeForSuite } from './support/node.js';

const definitions = machinesOf(catalogue);

/** States, and the target, guards and effects of each event, from XState itself. */
/** Names of a guard's guards: in the exported JSON, `all` has them as parameters. */
function namesOf(guard: unknown): string[] {
  if (typeof guard !== 'object' || guard === null || !('params' in guard)) return guardNames(guard);
  const { type, params } = guard as { type: string; params: { guards?: readonly { type: string }[] } };
  return type === 'all' ? params.guards!.map((each) => each.type) : [type];
}

function drawnFrom(machine: AnyStateMachine): Body {
  const effects = (actions: readonly unknown[]) =>
    actions
      .map((action) => (typeof action === 'string' ? action : (action as { type?: string }).type))
      .filter((type) => type && !type.startsWith('xstate.') && !changeNamed(machine, type));
  const outOf = (node: AnyStateNode) =>
    [...node.transitions].flatMap(([event, candidates]) =>
      candidates.map(({ target, guard, actions }) => ({
        event,
        to: target?.[0] && enteredFrom(target[0]),
        guards: namesOf(guard),
        effects: effects(actions),
      })),
    );
  const drawnNode = (node: AnyStateNode): Body => ({
    type: node.type,
    on: outOf(node),
    entry: effects(node.entry),
    exit: effects(node.exit),
    states: Object.fromEntries(
      Object.entries<AnyStateNode>(node.states).map(([name, each]) => [name, drawnNode(each)]),
    ),
  });
  return { initial: enteredFrom(machine.root), ...drawnNode(machine.root) };
}

/** Path of the innermost state that is entered with a state. */
function enteredFrom(node: AnyStateNode): string {
  const first = node.type === 'compound' ? node.initial.target?.[0] : undefined;
  return first ? enteredFrom(first) : node.path.join('.');
}

describe('Machines', () => {
  const node = nodeForSuite();
  const get = (path: string, headers?: { [name: string]: string }) =>
    node().client.get(`/api/v1/machines${path}`, headers);
  const chart = async (kind: string): Promise<Body> => expectStatus(await get(`/${kind}`));

  it('lists every kind with its definition, and where its charts are', async () => {
    const { machines, total } = expectStatus(await get(''));
    expect(machines.map(({ kind }: Body) => kind)).to.deep.equal(Object.keys(catalogue.definitions));
    expect(total).to.equal(machines.length);
    for (const { kind, version, isMachine, links } of machines) {
      expect(version).to.equal(definitionVersion(catalogue.definitions[kind]!));
      expect(isMachine).to.equal(catalogue.definitions[kind]!.form === 'machine');
      for (const path of Object.values<string>(links.formats)) expectStatus(await node().client.get(path));
    }
  });

  for (const definition of definitions) {
    it(`${definition.kind}: the XState JSON makes the same machine`, async () => {
      const text = (await get(`/${definition.kind}?format=xstate`)).text;
      const { meta } = JSON.parse(text);
      expect(drawnFrom(createMachine(JSON.parse(text)))).to.deep.equal(drawnFrom(definition.machine));
      const nested = definition.nested ?? {};
      expect(Object.keys(meta.nested ?? {})).to.deep.equal(Object.keys(nested));
      for (const [name, machine] of Object.entries(nested)) {
        expect(drawnFrom(createMachine(meta.nested[name]))).to.deep.equal(drawnFrom(machine));
      }
    });

    it(`${definition.kind}: each state and transition is drawn once, inside the drawing, on none of the others`, async () => {
      const { states, transitions, ...drawn } = await chart(definition.kind);
      const ids = transitions.map(({ id }: Body) => id).sort();
      expect(new Set(ids).size).to.equal(ids.length);
      for (const layout of [drawn.layout, drawn.layoutDown] as Body[]) {
        expect(layout.nodes.map((each: Body) => each.state).sort()).to.deep.equal(
          states.map(({ path }: Body) => path).sort(),
        );
        const labels = [
          ...layout.nodes.flatMap(({ inside }: Body) => inside),
          ...layout.edges.flatMap((each: Body) => each.labels),
        ];
        expect(labels.map(({ transition }: Body) => transition).sort()).to.deep.equal(ids);
        const points = layout.edges.flatMap((each: Body) => [...each.points, each.labelAt]);
        const boxes = [...layout.nodes, ...labels, ...labels.flatMap(({ chip }) => chip ?? [])];
        const corners = boxes.map(({ x, y, width, height }: Body) => ({ x: x + width, y: y + height }));
        for (const { x, y } of [...points, ...boxes, ...corners]) {
          expect(x).to.be.within(0, layout.width);
          expect(y).to.be.within(0, layout.height);
        }
        for (const { points: line, from, to } of layout.edges) {
          if (from !== null) expect(touches(line[0], layout, from), `${from} → ${to} begins`).to.equal(true);
          expect(touches(line.at(-1), layout, to), `${from} → ${to} ends`).to.equal(true);
        }
        expect(covered(layout as never), 'labels that something lies on').to.equal(0);
      }
    });

    it(`${definition.kind}: what is served is what docs/generated has`, async () => {
      for (const [format, suffix] of [
        ['svg', 'svg'],
        ['csv', 'csv'],
        ['mermaid', 'mmd'],
        ['xstate', 'xstate.json'],
      ]) {
        const file = readFileSync(`docs/generated/machines/${definition.kind}.${suffix}`, 'utf8');
        expect((await get(`/${definition.kind}?format=${format}`)).text).to.equal(file);
      }
    });
  }

  const touches = ({ x, y }: Body, { nodes }: Body, state: string): boolean => {
    const box = nodes.find((each: Body) => each.state === state);
    const within = (at: number, start: number, size: number) => at >= start - 1 && at <= start + size + 1;
    return within(x, box.x, box.width) && within(y, box.y, box.height);
  };

  it('says for each guard with which code it refuses, and what that means', async () => {
    const { transitions, initial, states } = await chart('escrow');
    expect(initial).to.equal('created.open');
    expect(transitions[0]).to.include({ id: 'create', from: null, to: 'created.open' });
    const fund = transitions.find(({ id }: Body) => id === 'created.open.fund.funded');
    expect(fund).to.deep.include({ event: 'fund', effects: ['lock'], roles: ['depositor', 'workflow'] });
    expect(fund.guards[0]).to.include({ name: 'inTimeToFund', refusal: 'ESCROW_INVALID_STATE' });
    expect(fund.guards[0].meaning).to.be.a('string');
    expect(states.filter(({ type }: Body) => type === 'final').map(({ name }: Body) => name)).to.deep.equal([
      'cancelled',
      'lapsed',
      'released',
      'refunded',
      'expired',
    ]);
  });

  it('shows milestones inside the contract’s context', async () => {
    const { states, transitions } = await chart('contract');
    expect(states.find(({ path }: Body) => path === 'milestone')).to.include({ type: 'machine' });
    expect(states.find(({ path }: Body) => path === 'milestone/pending')).to.include({
      parent: 'milestone',
      initial: true,
    });
    expect(transitions.map(({ id }: Body) => id)).to.include('milestone/submitted.approve.approved');
  });

  it('hands out what Accept asks for, JSON otherwise; format wins', async () => {
    const typeOf = async (path: string, accept: string) =>
      (await get(`/escrow${path}`, { accept })).headers['content-type'];
    expect(await typeOf('', 'image/svg+xml')).to.equal('image/svg+xml; charset=utf-8');
    expect(await typeOf('', 'text/csv;q=0.9, application/json;q=0.5')).to.equal('text/csv; charset=utf-8');
    expect(await typeOf('', 'text/markdown')).to.equal('text/markdown; charset=utf-8');
    expect(await typeOf('', 'text/vnd.mermaid')).to.equal('text/vnd.mermaid; charset=utf-8');
    expect(await typeOf('', 'text/html,image/webp,*/*;q=0.8')).to.match(/^application\/json/);
    expect(await typeOf('?format=csv', 'image/svg+xml')).to.equal('text/csv; charset=utf-8');
  });

  it('draws with text as text, for light and dark, and nothing from elsewhere', async () => {
    const { text, headers } = await get('/contract?format=svg');
    expect(text).to.include('prefers-color-scheme: dark').and.to.include('>activate</text>');
    expect(text.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.to.match(/https?:|<script|href/);
    expect(headers['content-security-policy']).to.match(/default-src 'none'; style-src 'sha256-/);
    const again = await get('/contract?format=svg', { 'if-none-match': headers.etag as string });
    expect(again.status).to.equal(304);
  });

  it('writes tables that a spreadsheet takes for no formula', async () => {
    const { text } = await get('/escrow?format=csv');
    const lines = text.split('\r\n');
    expect(lines[0]).to.equal('Id,From,Action,To,Roles,Guards and refusals,Effects,Moves,Changes');
    expect(lines[2]).to.include('created.open.fund.funded,created.open,fund,funded,"depositor, workflow"');
    for (const begins of ['=', '+', '-', '@', '\t', '\r']) {
      expect(csvCell(`${begins}1+"1"`)).to.equal(`"'${begins}1+""1"""`);
    }
    expect((await get('/escrow?format=markdown')).text).to.include('| created.open.fund.funded ');
    expect((await get('/escrow?format=mermaid')).text).to.include('[*] --> created: create');
  });

  it('refuses unknown kinds, formats and versions', async () => {
    for (const kind of ['nothing', '__proto__', 'constructor', 'toString', '..%2f..%2fetc', '%00']) {
      const reply = await get(`/${kind}`);
      expect(reply.status, kind).to.be.oneOf([400, 404]);
    }
    expectProblem(await get('/nothing'), 'NOT_FOUND');
    expectProblem(await get('/constructor/x/history'), 'NOT_FOUND');
    expectInvalid(await get('/escrow?format=pdf'), 'format');
    expectInvalid(await get('/escrow?format='), 'format');
    expectInvalid(await get('/escrow?format=svg&format=csv'), 'format');
    expectProblem(await get('/escrow?version=escrow-1-000000000000'), 'NOT_FOUND');
    expectProblem(await get('/account?format=svg'), 'NOT_FOUND');
    expectStatus(await get(`/escrow?version=${definitionVersion(catalogue.definitions.escrow!)}`));
  });

  it('is read through the typed client', async () => {
    const { machines } = new TypedClient({ url: node().url });
    expect((await machines.list()).machines.length).to.equal(Object.keys(catalogue.definitions).length);
    expect(await machines.get('lease')).to.deep.equal(await chart('lease'));
    expect(await machines.export('lease', 'csv')).to.equal((await get('/lease?format=csv')).text);
  });
});
