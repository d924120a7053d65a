import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const manifest = 'svc-node/package.json';

/** The release, from package.json. */
export const { version } = require(manifest) as { readonly version: string };

/** A file that the package brings along, by its path below package.json: this module may be packed into another. */
export const packageFile = (path: string): URL => new URL(path, pathToFileURL(require.resolve(manifest)));
