/** A resource with steps under three definition versions in the console: each step shows the version that decided it. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Layouts } from '../../src/http/charts/layout.js';
import { layouts } from '../../src/http/charts/layouts.js';
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { escrow } from '../../src/machines/escrow/resource.js';
import type { AnyDefinition, Migration } from '../../src/machines/kernel/resource.js';
import { definitionVersion } from '../../src/machines/kernel/versioning.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { expectGood } from './support/browser.js';
import { inBrowser } from './support/stage.js';

const oldest: AnyDefinition = { ...escrow, revision: 0 };
const newest: AnyDefinition = { ...escrow, revision: escrow.revision + 1 };
const same = (from: AnyDefinition, to: AnyDefinition): Migration => ({
  name: `as-it-was-in-${from.revision}`,
  from: definitionVersion(from),
  to: definitionVersion(to),
  migrate: ({ state, context }) => ({ state, context }),
});
const [first, second] = [same(oldest, escrow), same(escrow, newest)];
const between: AnyDefinition = { ...escrow, past: [oldest], migrations: [first] };
const definitions = [
  oldest,
  between,
  { ...newest, past: [oldest, between], migrations: [first, second] },
] as const satisfies AnyDefinition[];
const versions = definitions.map(definitionVersion);
const others = Object.values(everyKind.definitions).filter(({ kind }) => kind !== 'escrow');

interface Scene {
  readonly node: TestNode;
  readonly escrow: Body;
}

/** Created and funded under the first version, released in parts under the second and the third. */
async function open(): Promise<Scene> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-test-definitions-'));
  const under = (definition: AnyDefinition) =>
    TestNode.start({ dir, parts: { catalogue: catalogueOf([...others, definition], everyKind.workflows) } });
  // Layouts exist only for released versions, and this version was never released.
  (layouts as { [version: string]: Layouts })[definitionVersion(newest)] = layouts[definitionVersion(escrow)]!;
  let node = await under(definitions[0]);
  const [ada, ben] = [await node.rich(100), await node.person()];
  const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }] };
  const made = await ada.does('/api/v1/escrows', { ...rules, amount: 50, autoFund: true });
  let owner = ada;
  for (const definition of definitions.slice(1)) {
    await node.stop();
    node = await under(definition);
    owner = owner.through(node.client);
    expectStatus(await owner.act(made, 'release', { amount: 10 }));
  }
  return { node, escrow: made };
}

async function close({ node }: Scene): Promise<void> {
  const report = await node.audit();
  await node.discard();
  expect(report.flaw?.what, 'the audit').to.equal(undefined);
}

inBrowser('the console’s charts of a resource with several definition versions', { open, close }, (stage) => {
  const visit = (step: number) =>
    stage.window.visit(`#/charts/escrow/${stage.scene.escrow.escrowId}${step === 3 ? '' : `?step=${step}`}`);
  const chart = () => stage.page.getByRole('region', { name: 'Escrow', exact: true });
  const drawn = (version: string) => chart().getByRole('group', { name: `of definition ${version}` });
  const goes = (to: 'Next' | 'Previous') => stage.page.getByRole('button', { name: `${to} step` }).click();

  it('draw each step under the version that decided it', async () => {
    await visit(3);
    await drawn(versions[2]!).waitFor();
    expect(await chart().locator('.panel-head').innerText()).to.match(
      new RegExp(`by definition\\s+escrow-${newest.revision}-`),
    );
    await goes('Previous');
    await drawn(versions[1]!).waitFor();
    expect(await chart().locator('.panel-head').innerText()).to.match(
      new RegExp(`by the definition of that time,\\s+escrow-${escrow.revision}-`),
    );
    expect(await stage.page.locator('.drawing .state.lit').getAttribute('data-state')).to.equal('funded');
    await stage.page.getByText('Checked in this browser').waitFor();
    await expectGood(stage.window, 'charts-older-version-light');
  });

  it('show a version without a drawing as a table, and draw again when the slider leaves it', async () => {
    await visit(1);
    await stage.page.getByText('This definition has no drawing').waitFor();
    expect(await chart().locator('.panel-head code').getAttribute('title')).to.equal(versions[0]);
    await stage.page.getByText('The state machine as a table').click();
    await stage.page.getByRole('table', { name: `Transitions of definition ${versions[0]}` }).waitFor();
    await goes('Next');
    await drawn(versions[1]!).waitFor();
    stage.window.expectQuiet();
  });

  it('offer the actions of the current version', async () => {
    await visit(1);
    const permitted = stage.page.getByRole('region', { name: 'Available actions' });
    await permitted.getByText('in funded').waitFor();
    await permitted.getByRole('rowheader', { name: 'release' }).first().waitFor();
  });
});
