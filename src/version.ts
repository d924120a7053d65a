import { createRequire } from 'node:module';

/** The release, from package.json. */
export const version: string = readVersion();

function readVersion(): string {
  const require = createRequire(import.meta.url);
  return (require('svc-node/package.json') as { version: string }).version;
}
