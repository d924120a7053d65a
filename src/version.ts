import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const manifest = 'svc-node/package.json';

/** The release, and what it runs on, from package.json. */
export const { version, engines } = require(manifest) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};

/** A file that the package brings along, by its path below package.json: this module may be packed into another. */
export const packageFile = (path: string): URL => new URL(path, pathToFileURL(require.resolve(manifest)));
