import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const manifest = 'svc-node/package.json';

export const { version, engines } = require(manifest) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};

/** Path of a file that ships with the package, relative to package.json; this module may be bundled. */
export const packageFile = (path: string): URL => new URL(path, pathToFileURL(require.resolve(manifest)));
