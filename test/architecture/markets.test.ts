/** A market is one folder and one line of the catalogue (CONTRIBUTING.md#add-a-kind): no other file knows it. */
import { expect } from 'chai';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { codeOf, fileOf, importsOf, sources } from './sources.js';

/** Kinds of the markets: those under their paths, and their orders. */
const kinds = machinesOf(catalogue)
  .filter(({ route, trade }) => route.path.startsWith('/markets/') || trade?.order)
  .map(({ kind }) => kind);

/** The folders of the markets. */
const homes = [
  ...['info-order', 'task-order', 'bid', 'lease', 'listing'].map((folder) => `machines/${folder}/`),
  'packages/client/src/',
  'packages/model/src/scenarios/',
];

/** Other files that may name a market's kind, each with the reason. */
const named: { readonly [file: string]: string } = {
  'packages/model/src/scenarios.ts': 'how a kind is walked by the conformance suite',
  ...Object.fromEntries(
    ['buyer', 'messages', 'proof', 'seller'].map((name) => [`packages/payments/src/${name}.ts`, 'a way to pay']),
  ),
  'store/sqlite/packing.ts': 'a dictionary that texts are deflated with: others are as right, and longer',
  'machines/escrow/rule.ts': 'a type of rule that no caller may use (docs/reference/escrows.md#rules)',
  'store/mongo/process-registry.ts': 'another lease: that of a process',
};

/** Other files that may import from a market's folder, each with the reason. */
const importing: { readonly [file: string]: string } = {
  'machines/catalogue.ts': 'its line',
  'packages/model/src/scenarios.ts': 'as above',
};

const isHome = (file: string): boolean => homes.some((home) => file.startsWith(home));
const names = new RegExp(`['"\`](?:${kinds.join('|')})['"\`.]`);
/** Listings themselves are shared by all markets. */
const own =
  /^machines\/(?:info-order|task-order|bid|lease)|^packages\/model\/src\/scenarios\/(?!contract|dispute|escrow)/;

describe('A market', () => {
  // Labels in layouts are names of actions, even where they equal the name of a kind.
  const others = sources().filter((file) => !isHome(file) && file !== 'http/charts/layouts.ts');
  const naming = others.filter((file) => names.test(codeOf(fileOf(file))));
  const coupled = others.filter((file) => importsOf(fileOf(file)).some(({ to }) => own.test(to)));

  it('there are three of them, with all their kinds', () => {
    expect(kinds).to.include.members([
      'info-listing',
      'task-listing',
      'capability-listing',
      'info-order',
      'task-order',
    ]);
    expect(kinds).to.include.members(['bid', 'lease']);
  });

  it('its kinds are named in its own files, and nowhere else', () => {
    expect(naming.filter((file) => !named[file])).to.deep.equal([]);
  });

  it('is imported by the catalogue only', () => {
    expect(coupled.filter((file) => !importing[file])).to.deep.equal([]);
  });

  it('every exception is needed', () => {
    expect(Object.keys(named).filter((file) => !naming.includes(file))).to.deep.equal([]);
    expect(Object.keys(importing).filter((file) => !coupled.includes(file))).to.deep.equal([]);
  });
});
