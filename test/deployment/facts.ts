/** Facts that deployment files are compared with: from the code, the package and the checkout. */
import { existsSync, readFileSync } from 'node:fs';
import { everyRoute } from '../../scripts/generate/routes.js';
import { loadConfig, variables } from '../../src/node/config/config.js';

export const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly bin: { readonly [name: string]: string };
  readonly files: readonly string[];
  readonly dependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
  readonly optionalDependencies: { readonly [name: string]: string };
};

export const inCheckout = (path: string): boolean => existsSync(path);

export const defaultPort = variables.port.default;

/** Whether a health check may request the path: a GET route that needs no key. */
export const isHealthPath = (path: string): boolean =>
  ['/healthz', '/readyz'].includes(path) &&
  everyRoute().some((route) => route.method === 'GET' && route.path === path && route.open === true);

const known = new Set<string>(Object.values(variables).map(({ name }) => name));

/** Variables whose value is the path of a file. */
export const fileVariables = [
  'SVC_PASSPHRASE_FILE',
  'SVC_OPERATOR_KEY_FILE',
  'SVC_STORE_FILE',
  'SVC_TLS_CERT',
  'SVC_TLS_KEY',
];

type Settings = { readonly [name: string]: string };

/** Variables that the node does not know, and values that it refuses, on any network. */
export function flawsOfSettings(settings: Settings): string[] {
  const ours = Object.entries(settings).filter(([name]) => name.startsWith('SVC_'));
  const unknown = ours.filter(([name]) => !known.has(name)).map(([name]) => `${name} is no variable of the node`);
  if (unknown.length > 0) return unknown;
  // These files exist only where the node runs.
  const rest = Object.fromEntries(ours.filter(([name]) => !fileVariables.includes(name)));
  const flaws = ['testnet', 'mainnet'].flatMap((network) => {
    const config = loadConfig({ ...rest, SVC_NETWORK: network });
    return Array.isArray(config) ? config : [];
  });
  return [...new Set(flaws)];
}
