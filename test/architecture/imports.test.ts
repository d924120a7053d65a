/** Each folder imports itself and the layers below its own. `layers.ts` is the table of layers. */
import { dirname } from 'node:path';
import { expect } from 'chai';
import { folderOf, layerOf } from './layers.js';
import { fileOf, importsOf, sources } from './sources.js';

/** Adapters of the store port: only the code that constructs a node, and the command line, may name them. */
const adapters = ['store/sqlite/', 'store/mongo/', 'store/memory/'];

const adapterOf = (file: string): string | undefined => adapters.find((folder) => file.startsWith(folder));

/** Why the import is not allowed; undefined if it is. */
function offence(file: string, to: string, isPackage = false): string | undefined {
  const from = folderOf(file);
  if (!from) return `${file} belongs to no layer`;
  if (isPackage)
    return from.packages && !from.packages.includes(to) ? `${file} → ${to}: not ${from.name}'s` : undefined;
  const target = folderOf(to);
  if (!target) return `${to} belongs to no layer`;
  if (layerOf(to) < layerOf(file)) return `${file} → ${to}: ${target.name} stands above ${from.name}`;
  const isNamed = from.only?.includes(target.name) ?? layerOf(to) > layerOf(file);
  if (from !== target && !isNamed) return `${file} → ${to}: not below ${from.name}`;
  const adapter = adapterOf(to);
  if (!adapter || file.startsWith(adapter) || ['node', 'cli', 'packages/fake-node'].includes(from.name))
    return undefined;
  return `${file} → ${to}: an adapter stands behind its port`;
}

/** Import cycles: each path that returns to the file where it began. */
function circles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    done.add(file);
    for (const to of edges.get(file) ?? []) visit(to, [...path, file]);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

/** The folders below the last one that both files are in: `http/server` and `http/access`; undefined if one contains the other. */
function siblings(one: string, other: string): readonly [string, string] | undefined {
  const [a, b] = [dirname(one).split('/'), dirname(other).split('/')];
  const depth = a.findIndex((folder, i) => folder !== b[i]);
  if (depth < 0 || depth >= b.length) return undefined;
  return [a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')];
}

/** Folders next to each other that import each other, as `one ⇄ other`. */
function mutualPairs(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const arrows = new Set<string>();
  for (const [file, imported] of edges) for (const to of imported) arrows.add(siblings(file, to)?.join(' ⇄ ') ?? '');
  return [...arrows].filter((arrow) => {
    const [one, other] = arrow.split(' ⇄ ') as [string, string];
    return one < other && arrows.has(`${other} ⇄ ${one}`);
  });
}

function importsOfSources(): Map<string, readonly string[]> {
  const imported = (file: string) => importsOf(fileOf(file)).filter(({ isPackage }) => !isPackage);
  return new Map(sources().map((file) => [file, imported(file).map(({ to }) => to)]));
}

describe('imports', () => {
  it('go one way', () => {
    const offences = sources().flatMap((file) =>
      importsOf(fileOf(file)).flatMap(({ to, isPackage }) => offence(file, to, isPackage) ?? []),
    );
    expect(offences).to.deep.equal([]);
  });

  it('make no circle, not even of types', () => {
    expect(circles(importsOfSources())).to.deep.equal([]);
  });

  it('go one way between folders next to each other', () => {
    expect(mutualPairs(importsOfSources())).to.deep.equal([]);
  });

  it('are seen by this test: it finds wrong ways and circles', () => {
    expect(offence('machines/escrow/machine.ts', 'actors/write-path.ts')).to.include('above');
    expect(offence('core/canonical.ts', 'machines/catalogue.ts')).to.include('above');
    expect(offence('machines/escrow/machine.ts', 'node:fs', true)).to.include('not machines');
    expect(offence('http/context/write-gateway.ts', 'store/sqlite/sqlite-store.ts')).to.include('port');
    expect(offence('packages/client/src/client.ts', 'keys/keystore.ts')).to.include('above');
    expect(offence('chain/settlement/settler.ts', 'actors/write-path.ts')).to.include('not below');
    expect(offence('main.ts', 'cli/cli.ts')).to.equal(undefined);
    expect(offence('brand-new.ts', 'core/canonical.ts')).to.include('no layer');
    expect(
      circles(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).to.deep.equal(['b → c → b']);
    expect(
      mutualPairs(
        new Map([
          ['http/server/a.ts', ['http/access/b.ts', 'http/server/deep/c.ts']],
          ['http/access/deeper/b.ts', ['http/server/a.ts']],
          ['http/server/deep/c.ts', ['http/server/a.ts', 'http/c.ts']],
        ]),
      ),
    ).to.deep.equal(['http/access ⇄ http/server']);
    expect(sources().length).to.be.above(400);
    expect(importsOf('src/actors/write-path.ts').length).to.be.above(10);
  });
});
