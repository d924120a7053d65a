/** The layers of `src`, in one table: `imports.test.ts` and `npm run structure` read it. */
export interface Folder {
  /** A folder of src, or a file at its root. */
  readonly name: string;
  /** The packages that it may import; absent: any. */
  readonly packages?: readonly string[];
  /** The folders that it may import, where it may not import all of the layers below. */
  readonly only?: readonly string[];
}

/** From top to bottom. Folders of one layer do not import each other, except those that `only` names. */
export const layers: readonly (readonly Folder[])[] = [
  [
    { name: 'main.ts', only: ['cli', 'core'] },
    { name: 'cli' },
    { name: 'packages/fake-node', only: ['packages/client', 'node', 'http', 'chain', 'store', 'keys', 'core'] },
  ],
  [
    { name: 'node' },
    { name: 'packages/mcp', only: ['packages/client', 'packages/payments', 'core'] },
    { name: 'packages/payments', only: ['packages/client', 'peers', 'verify', 'core'] },
  ],
  [{ name: 'http' }],
  [{ name: 'peers' }],
  [{ name: 'verify' }],
  [{ name: 'actors', packages: ['lru-cache'] }, { name: 'projections' }, { name: 'chain' }],
  [
    { name: 'store' },
    { name: 'packages/model', packages: ['xstate', 'xstate/graph', 'node:crypto'], only: ['machines', 'core'] },
  ],
  [{ name: 'machines', packages: ['xstate', 'superstruct', 'node:crypto'] }, { name: 'keys' }],
  [{ name: 'core' }, { name: 'packages/client', packages: [], only: [] }],
];

const isIn = (file: string, { name }: Folder): boolean => file === name || file.startsWith(`${name}/`);

export const folderOf = (file: string): Folder | undefined => layers.flat().find((folder) => isIn(file, folder));

/** Counted from the top; -1 if the file belongs to none. */
export const layerOf = (file: string): number =>
  layers.findIndex((folders) => folders.some((folder) => isIn(file, folder)));
