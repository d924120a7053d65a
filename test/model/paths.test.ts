/** `svc-node/model` alone: which paths it makes, how they are bounded, and that they contain only placeholders. */
import { expect } from 'chai';
import {
  chartOf,
  fill,
  kept,
  kinds,
  machineOf,
  paths,
  settingsOf,
  TooManyPaths,
  Unfilled,
  UnknownModel,
} from '../../packages/model/src/index.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';

const names = ({ name, setting }: { name: string; setting: string }): string => `${setting}: ${name}`;

describe('The model for other people’s tests', () => {
  it('knows every kind with a machine', () => {
    expect(kinds()).to.deep.equal(requestedOf(catalogue).map(({ kind }) => kind));
    for (const kind of kinds()) {
      expect(machineOf(kind)).to.equal(requestedOf(catalogue).find((each) => each.kind === kind)!.machine);
      const outer = chartOf(kind).states.filter(({ name }) => !name.includes('.'));
      expect(Object.keys(machineOf(kind).states)).to.deep.equal(outer.map(({ name }) => name));
      expect(settingsOf(kind)).not.to.deep.equal([]);
    }
  });

  it('has one shortest path to each situation, and the first is the creation alone', () => {
    for (const kind of kinds()) {
      const found = paths(kind);
      expect(new Set(found.map(names)).size, kind).to.equal(found.length);
      expect(found[0]!.steps, kind).to.deep.equal([]);
      expect(found[0]!.setUp.at(-1)!.keeps, kind).to.include({ resourcePrev: 'resourcePrev' });
    }
  });

  it('leads an escrow into every state, where the clock may be moved', () => {
    const states = new Set(
      paths('escrow', { late: true }).map(({ state, substate }) => `${state} ${substate ?? ''}`.trim()),
    );
    expect([...states]).to.have.members([
      ...['created open', 'created cancelled', 'funded', 'released', 'refunded', 'expired'],
    ]);
    expect(paths('escrow', { to: 'created.cancelled' }).map(({ substate }) => substate)).to.include('cancelled');
    expect(paths('escrow').some(({ steps }) => steps.some(({ late }) => late))).to.equal(false);
  });

  it('has more simple paths than shortest ones, none of which meets a situation twice', () => {
    const simple = paths('escrow', { by: 'simple', steps: 4, setting: settingsOf('escrow')[0]! });
    expect(simple.length).to.be.above(paths('escrow', { setting: settingsOf('escrow')[0]! }).length);
    for (const { steps } of simple) expect(steps.length).to.be.at.most(4);
    const ways = simple.map(({ steps }) => JSON.stringify(steps.map(({ by, path, body }) => [by, path, body])));
    expect(new Set(ways).size).to.equal(ways.length);
  });

  it('keeps to its bounds, and says so where there is none that holds', () => {
    expect(paths('escrow', { steps: 1 }).every(({ steps }) => steps.length <= 1)).to.equal(true);
    expect(paths('escrow', { by: 'simple', most: 7 }).length).to.be.within(5, 7);
    expect(paths('escrow', { to: 'released' }).every(({ state }) => state === 'released')).to.equal(true);
    expect(() => paths('dispute', { by: 'simple', steps: 5 })).to.throw(TooManyPaths, 'dispute');
    expect(() => paths('escrows')).to.throw(UnknownModel, 'escrow');
    expect(() => paths('escrow', { setting: 'none' })).to.throw(UnknownModel, settingsOf('escrow')[0]);
  });

  it('says what each step must give: the state it leads to, or the exact refusal that leaves it', () => {
    for (const { steps, state, substate, refusals } of paths('contract')) {
      expect(steps.at(-1)?.expects.substate ?? substate).to.equal(substate);
      expect(steps.at(-1)?.expects.state ?? state).to.equal(state);
      for (const { expects } of steps) expect(expects).to.include.keys('status', 'state').and.include({ status: 200 });
      for (const { expects } of refusals) {
        expect(expects.state).to.equal(state);
        expect(expects.status).to.be.within(400, 499);
      }
      expect(refusals.some(({ by }) => by === 'stranger')).to.equal(true);
    }
  });

  it('is data: the same each time, through JSON too, without anything of the dry run', () => {
    for (const kind of kinds()) {
      const found = paths(kind);
      expect(JSON.parse(JSON.stringify(found)), kind).to.deep.equal(paths(kind));
      const said = JSON.stringify(found.map(({ setUp, steps, refusals }) => [setUp, steps, refusals]));
      expect(said, kind).not.to.match(/rehears|undefined|\[object/);
    }
  });

  it('names no placeholder that nothing gives a value to', () => {
    for (const kind of kinds()) {
      for (const path of paths(kind)) {
        const given = new Set(path.cast.flatMap((name) => [name, `${name}.passphrase`, `${name}.nonce`]));
        for (const step of [...path.setUp, ...path.steps, ...path.refusals]) {
          const asked = [...JSON.stringify([step.path, step.body]).matchAll(/\{([a-z][\w.+-]*)\}/gi)].map(
            ([, name]) => name!,
          );
          expect(
            asked.filter((name) => !given.has(name) && !/^now[+-]\d+$/.test(name)),
            `${kind} ${step.path}`,
          ).to.deep.equal([]);
          for (const name of Object.keys(step.keeps)) given.add(name);
        }
      }
    }
  });

  it('fills placeholders in, whatever type their value has', () => {
    const values = { ada: 'did:svc:z1', id: 'esc-1', now: 1_000, nonce: 3 };
    const filled = fill({ path: '/x/{id}', at: '{now+500}', list: ['{ada}', { n: '{nonce}' }], plain: 5 }, values);
    expect(filled).to.deep.equal({ path: '/x/esc-1', at: 1_500, list: ['did:svc:z1', { n: 3 }], plain: 5 });
    expect(() => fill('{toString}', values)).to.throw(Unfilled, 'toString');
    expect(kept({ keeps: { prev: 'bid.resourcePrev', none: 'a.b' } }, { bid: { resourcePrev: 'h' } })).to.deep.equal({
      prev: 'h',
      none: undefined,
    });
  });
});
