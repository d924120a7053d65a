/** The layers of `src`, in one table: `imports.test.ts` and `npm run structure` read it. */
export interface Layer {
  /** A folder of src, or a file at its root. */
  readonly name: string;
  /** The packages that it may import; absent: any. */
  readonly packages?: readonly string[];
  /** The layers that it may import, where it may not import all below. */
  readonly only?: readonly string[];
}

/** From top to bottom. */
export const layers: readonly Layer[] = [
  { name: 'main.ts', only: ['cli', 'core'] },
  { name: 'cli' },
  {
    name: 'packages/fake-node',
    only: ['packages/client', 'node', 'http', 'chain', 'store', 'keys', 'core'],
  },
  { name: 'packages/client', packages: [], only: [] },
  { name: 'node' },
  { name: 'http' },
  { name: 'peers' },
  { name: 'verify' },
  { name: 'projections' },
  { name: 'actors', packages: ['p-queue', 'lru-cache', 'node:crypto'] },
  { name: 'chain' },
  { name: 'store' },
  { name: 'keys' },
  { name: 'packages/model', packages: ['xstate', 'xstate/graph', 'node:crypto'], only: ['machines', 'core'] },
  { name: 'machines', packages: ['xstate', 'superstruct', 'node:crypto'] },
  { name: 'core' },
];

export const layerOf = (file: string): number =>
  layers.findIndex(({ name }) => file === name || file.startsWith(`${name}/`));
