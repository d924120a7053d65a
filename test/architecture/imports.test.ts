/** Imports go one way (design.md, Tree): http → actors → machines; ports in the middle; adapters know their port. */
import { expect } from 'chai';
import { filesIn, importsOf, sources } from './sources.js';

/** Pure functions of their input, below the machines (docs/decisions/0001). */
const codecs = ['did', 'address', 'verify', 'base58', 'soundness', 'bounded-cache'].map((name) => `keys/${name}.ts`);
const port = ['store/store.ts', 'store/entry.ts', 'store/journal-end.ts', 'store/search/'];
const kernel = 'machines/kernel/';
const adapters = ['store/sqlite/', 'store/mongo/', 'store/memory/'];

interface Layer {
  readonly name: string;
  /** Files and folders (ending in `/`) that belong to it; the first layer that claims a file has it. */
  readonly holds: readonly string[];
  /** What they may import, beside each other. */
  readonly from: readonly string[];
  /** Packages they may import; absent: any. */
  readonly packages?: readonly string[];
  /** Single exceptions, each with its reason. */
  readonly except?: { readonly [pair: string]: string };
}

const layers: readonly Layer[] = [
  {
    name: 'codecs',
    holds: codecs,
    from: [`${kernel}refusal.ts`],
    packages: ['bs58', 'node:crypto', '@noble/ed25519'],
  },
  { name: 'workflows', holds: ['actors/workflows/'], from: ['machines/'], packages: [] },
  { name: 'catalogue', holds: ['machines/catalogue.ts'], from: ['machines/', 'actors/workflows/'] },
  {
    name: 'machines',
    holds: ['machines/'],
    from: codecs,
    packages: ['xstate', 'superstruct', 'node:crypto'],
  },
  { name: 'world', holds: ['world.ts'], from: [], packages: ['node:crypto', 'node:worker_threads'] },
  { name: 'shared counts', holds: ['counts.ts'], from: ['world.ts'] },
  { name: 'bounded tables', holds: ['bounded-table.ts'], from: [...port, kernel, 'world.ts'], packages: ['p-queue'] },
  { name: 'durable files', holds: ['durable-file.ts'], from: [] },
  { name: 'keys', holds: ['keys/'], from: [...codecs, kernel, 'world.ts', 'durable-file.ts', 'counts.ts'] },
  { name: 'port of the store', holds: port, from: [kernel], packages: [] },
  ...adapters.map((folder) => ({
    name: folder,
    holds: [folder],
    from: [...port, kernel, 'world.ts', 'durable-file.ts'],
  })),
  { name: 'chain', holds: ['chain/'], from: [...port, kernel, ...codecs, 'world.ts', 'durable-file.ts'] },
  {
    name: 'actors',
    holds: ['actors/'],
    from: ['machines/', 'keys/', ...port, 'chain/chain.ts', 'world.ts'],
    packages: ['p-queue'],
  },
  {
    name: 'webhooks',
    holds: ['webhooks/'],
    from: ['keys/sealing.ts', 'bounded-table.ts', ...port, kernel, 'world.ts'],
    packages: ['node:crypto', 'node:http', 'node:https', 'node:net', 'node:dns/promises', 'ipaddr.js'],
  },
  { name: 'configuration', holds: ['config.ts', 'config-variables.ts', 'version.ts'], from: ['keys/did.ts'] },
  {
    name: 'audits',
    holds: ['audits/'],
    from: ['actors/', 'machines/', 'store-choice.ts', ...port, 'chain/witness/', 'config.ts', 'world.ts'],
    packages: ['node:os', 'node:worker_threads'],
  },
  {
    name: 'http',
    holds: ['http/'],
    from: [
      ...['actors/', 'machines/', 'keys/', ...port, 'chain/', 'webhooks/'],
      ...['audits/audits.ts', 'world.ts', 'config.ts', 'counts.ts', 'version.ts', 'bounded-table.ts'],
    ],
  },
  {
    name: 'model',
    holds: ['model/'],
    from: ['machines/', 'keys/did.ts'],
    packages: ['xstate', 'xstate/graph', 'node:crypto'],
  },
  { name: 'client', holds: ['client/'], from: ['machines/', 'store/entry.ts', 'store/search/'], packages: [] },
  {
    name: 'control socket',
    holds: ['control.ts', 'control/'],
    from: ['http/log.ts', 'http/api-keys.ts', 'keys/keystore.ts', kernel, 'world.ts', ...port],
    except: {
      'control/handlers.ts → store/sqlite/backup.ts': 'a backup of the running node is asked for over the socket',
    },
  },
  {
    name: 'node identity',
    holds: ['node-identity.ts'],
    from: ['config.ts', 'keys/', kernel, 'world.ts', 'durable-file.ts', ...port],
  },
  { name: 'housekeeping', holds: ['housekeeping.ts'], from: ['actors/', 'http/log.ts', 'world.ts', ...port] },
  { name: 'choice of the store', holds: ['store-choice.ts'], from: ['store/', 'config.ts', 'world.ts'] },
  {
    name: 'chain of a node',
    holds: ['node-chain.ts'],
    from: ['config.ts', 'chain/', 'keys/', kernel, ...port, 'world.ts', 'node-identity.ts'],
  },
  {
    name: 'metrics of a node',
    holds: ['node-metrics.ts'],
    from: ['actors/', 'chain/', 'http/', ...port, 'node-chain.ts', 'housekeeping.ts'],
  },
  {
    name: 'webhooks of a node',
    holds: ['node-webhooks.ts'],
    from: ['webhooks/', 'config.ts', 'http/', ...port, 'node-database.ts', 'world.ts'],
  },
  {
    name: 'database of a node',
    holds: ['node-database.ts'],
    from: ['actors/', ...port, 'node-identity.ts', 'world.ts'],
  },
  {
    name: 'ground of a node',
    holds: ['node-ground.ts'],
    from: [
      ...['actors/', 'chain/', 'http/', 'keys/', 'machines/', ...port, 'config.ts', 'counts.ts', 'world.ts'],
      ...['node-identity.ts', 'node-webhooks.ts'],
    ],
  },
  {
    name: 'works of a node',
    holds: ['node-works.ts'],
    from: [
      ...['actors/', 'chain/', 'http/', 'keys/', 'machines/', ...port, 'config.ts'],
      ...['node-ground.ts', 'node-chain.ts', 'node-identity.ts', 'node-metrics.ts'],
    ],
  },
  {
    name: 'gate of a node',
    holds: ['node-gate.ts'],
    from: ['http/', 'machines/', ...port, 'config.ts', 'housekeeping.ts', 'node-works.ts'],
  },
  {
    name: 'serving of a node',
    holds: ['node-serving.ts'],
    from: [
      ...['actors/', 'audits/', 'chain/', 'http/', 'machines/', 'config.ts', 'control.ts', 'version.ts'],
      ...['durable-file.ts', 'housekeeping.ts', 'node-ground.ts', 'node-works.ts', 'node-gate.ts'],
      ...['node-database.ts', 'node-metrics.ts', 'node-webhooks.ts'],
    ],
  },
  {
    name: 'node',
    holds: ['node.ts'],
    from: [
      ...['config.ts', 'counts.ts', 'keys/', ...port, 'store-choice.ts'],
      ...['node-ground.ts', 'node-database.ts', 'node-identity.ts', 'node-works.ts', 'node-serving.ts'],
    ],
  },
  {
    name: 'command line',
    holds: ['cli/'],
    from: [
      'node.ts',
      'node-ground.ts',
      'node-chain.ts',
      'chain/',
      'node-identity.ts',
      'actors/',
      'audits/',
      'http/',
      'machines/',
      'keys/',
      'store/',
      'store-choice.ts',
      'control/',
      'control.ts',
      'config.ts',
      'config-variables.ts',
      'version.ts',
      'world.ts',
      'durable-file.ts',
      'client/',
    ],
  },
  { name: 'main', holds: ['main.ts'], from: ['cli/', 'world.ts'] },
];

const covers = (entries: readonly string[], file: string): boolean =>
  entries.some((entry) => (entry.endsWith('/') ? file.startsWith(entry) : file === entry));

const layerOf = (file: string): Layer | undefined => layers.find(({ holds }) => covers(holds, file));

/** Each import that goes the wrong way, as one line. */
function offences(file: string, imports: ReturnType<typeof importsOf>): string[] {
  const layer = layerOf(file);
  if (!layer) return [`${file} belongs to no layer`];
  return imports.flatMap(({ to, isPackage }) => {
    const pair = `${file} → ${to}`;
    if (layer.except?.[pair]) return [];
    if (isPackage) return !layer.packages || layer.packages.includes(to) ? [] : [`${pair} (${layer.name})`];
    return covers([...layer.holds, ...layer.from], to) ? [] : [`${pair} (${layer.name})`];
  });
}

describe('imports', () => {
  it('go one way', () => {
    expect(sources().flatMap((file) => offences(file, importsOf(`src/${file}`)))).to.deep.equal([]);
  });

  it('every layer holds something, and every exception is needed', () => {
    for (const { name, holds, except = {} } of layers) {
      for (const entry of holds)
        expect(
          sources().some((file) => covers([entry], file)),
          `${name}: ${entry}`,
        ).to.equal(true);
      for (const pair of Object.keys(except)) {
        const [file, to] = pair.split(' → ') as [string, string];
        expect(
          importsOf(`src/${file}`).map((each) => each.to),
          pair,
        ).to.include(to);
      }
    }
  });

  it('of node.ts are main’s, the command line’s, tests’ and scripts’ only', () => {
    const importers = sources().filter((file) => importsOf(`src/${file}`).some(({ to }) => to === 'node.ts'));
    expect(importers.filter((file) => file !== 'main.ts' && !file.startsWith('cli/'))).to.deep.equal([]);
  });

  it('of an adapter are those of who chooses one, and of the command line', () => {
    const importers = sources().filter((file) => {
      const own = adapters.find((folder) => file.startsWith(folder));
      return importsOf(`src/${file}`).some(({ to }) => covers(adapters, to) && !(own && to.startsWith(own)));
    });
    const allowed = ['store-choice.ts', 'control/handlers.ts'];
    expect(importers.filter((file) => !allowed.includes(file) && !file.startsWith('cli/'))).to.deep.equal([]);
  });

  it('of values make no circle', () => {
    const files = sources();
    const edges = new Map(
      files.map((file) => [
        file,
        importsOf(`src/${file}`)
          .filter(({ isPackage, isTypeOnly }) => !isPackage && !isTypeOnly)
          .map(({ to }) => to),
      ]),
    );
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      expect(path, 'a circle').to.not.include(file);
      if (done.has(file)) return;
      for (const to of edges.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
  });

  it('lead to files that there are', () => {
    const files = new Set(sources());
    for (const file of sources()) {
      for (const { to, isPackage } of importsOf(`src/${file}`)) if (!isPackage) expect(files, file).to.include(to);
    }
  });

  it('are seen by this test: it finds each of these wrong ways', () => {
    const pretend = (file: string, to: string, isPackage = false) =>
      offences(file, [{ to, isPackage, isTypeOnly: false }]);
    for (const [file, to] of [
      ['machines/escrow/machine.ts', 'actors/actor.ts'],
      ['machines/escrow/machine.ts', 'actors/workflows/deposit.ts'],
      ['machines/catalogue.ts', 'actors/actor.ts'],
      ['actors/workflows/deposit.ts', 'actors/actor.ts'],
      ['machines/escrow/machine.ts', 'keys/keystore.ts'],
      ['machines/kernel/step.ts', 'store/store.ts'],
      ['keys/did.ts', 'world.ts'],
      ['actors/actor.ts', 'http/desk.ts'],
      ['actors/actor.ts', 'store/sqlite/sqlite-store.ts'],
      ['store/sqlite/writer.ts', 'store/memory/tables.ts'],
      ['store/memory/tables.ts', 'store/sqlite/writer.ts'],
      ['store/sqlite/writer.ts', 'machines/escrow/machine.ts'],
      ['store/store.ts', 'actors/actor.ts'],
      ['http/server.ts', 'node.ts'],
      ['actors/alarms.ts', 'config.ts'],
      ['brand-new.ts', 'world.ts'],
    ] as const) {
      expect(pretend(file, to), `${file} → ${to}`).to.have.length(1);
    }
    expect(pretend('machines/escrow/machine.ts', 'node:fs', true)).to.have.length(1);
    expect(filesIn('src').length).to.be.above(100);
    expect(importsOf('src/actors/actor.ts').length).to.be.above(10);
  });
});
