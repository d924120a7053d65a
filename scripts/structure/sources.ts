/** Figures about the structure of the sources, without running them. */
import { declaredTwice } from '../../test/architecture/declared-names.js';
import { layerOf, layers } from '../../test/architecture/layers.js';
import { codeOf, fileOf, filesIn, importsOf, isGenerated, sources, textOf } from '../../test/architecture/sources.js';

export interface SourceStructure {
  /** Rows of the table of layers. */
  readonly layers: number;
  /** Length of the longest chain of imports between folders. */
  readonly floors: number;
  /** Pairs of folders of which the first imports the second. */
  readonly arrows: number;
  /** Imports of a layer above, as `from → to`. */
  readonly up: readonly string[];
  /** Groups of files that import each other in a circle, imports of types included. */
  readonly circles: readonly (readonly string[])[];
  /** Names of types that more than one file declares, except in generated files. */
  readonly duplicateTypes: readonly string[];
  readonly files: number;
  readonly looseFiles: readonly string[];
  /** Lines of all files below each folder, longest first. */
  readonly lines: readonly (readonly [folder: string, lines: number, files: number])[];
  /** Median of the files that are written by hand. */
  readonly medianLines: number;
  readonly longest: readonly [file: string, lines: number];
}

const linesOf = (file: string): number => textOf(file).split('\n').length - 1;
const folderOf = (file: string): string => /^(packages\/)?[^/]+/.exec(file)![0];

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

/** Tarjan: groups of nodes that can reach each other, those below first. */
function components(edges: Edges): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node)!);
    stack.push(node);
    for (const to of edges.get(node) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node)!, low.get(to)!));
    }
    if (low.get(node) === index.get(node)) found.push(stack.splice(stack.indexOf(node)));
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return found;
}

/** Length of the longest path; a circle counts as one node. */
function floorsOf(edges: Edges): number {
  const height = new Map<string, number>();
  for (const group of components(edges)) {
    const below = group.flatMap((node) => [...(edges.get(node) ?? [])]).filter((to) => !group.includes(to));
    const tall = 1 + Math.max(0, ...below.map((to) => height.get(to) ?? 0));
    for (const node of group) height.set(node, tall);
  }
  return Math.max(0, ...height.values());
}

function edgesBy(of: (file: string) => string): Map<string, Set<string>> {
  const known = new Set(sources());
  const edges = new Map<string, Set<string>>();
  for (const file of known) {
    const from = edges.get(of(file)) ?? new Set();
    edges.set(of(file), from);
    for (const { to, isPackage } of importsOf(fileOf(file))) {
      if (!isPackage && known.has(to) && of(to) !== of(file)) from.add(of(to));
    }
  }
  return edges;
}

function linesByFolder(folders: readonly string[]): [string, number, number][] {
  return folders
    .map((folder): [string, number, number] => {
      const files = ['.ts', '.tsx', '.sol']
        .flatMap((suffix) => filesIn(folder, suffix))
        .filter((file) => !file.includes('/dist/'));
      return [folder, files.reduce((sum, file) => sum + linesOf(file), 0), files.length];
    })
    .filter(([, lines]) => lines > 0)
    .sort(([, one], [, other]) => other - one);
}

/** @param others folders other than those of `src` whose lines are counted */
export function sourceStructure(others: readonly string[]): SourceStructure {
  const files = sources();
  const written = files.map(fileOf).filter((file) => !isGenerated(file));
  const rooms = edgesBy(folderOf);
  const folders = new Map([...rooms].filter(([room]) => !room.endsWith('.ts')));
  const lengths = written.map((file): [string, number] => [file, linesOf(file)]).sort(([, a], [, b]) => a - b);
  const up = files.flatMap((file) =>
    importsOf(fileOf(file))
      .filter(({ to, isPackage }) => !isPackage && layerOf(to) >= 0 && layerOf(to) < layerOf(file))
      .map(({ to }) => `${file} → ${to}`),
  );
  return {
    layers: layers.length,
    floors: floorsOf(folders),
    arrows: [...folders.values()].reduce((sum, to) => sum + to.size, 0),
    up,
    circles: components(edgesBy((file) => file)).filter((group) => group.length > 1),
    duplicateTypes: [...declaredTwice(new Map(written.map((file) => [file, codeOf(file)]))).keys()].sort(),
    files: files.length,
    looseFiles: files.filter((file) => !file.includes('/')),
    lines: linesByFolder([...[...folders.keys()].map(fileOf), ...others]),
    medianLines: lengths[Math.floor(lengths.length / 2)]![1],
    longest: lengths.at(-1)!,
  };
}
