/** The version of the release in the files that name it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageJson } from './facts.js';

/** Each is found as often as stated. */
const named: readonly (readonly [file: string, pattern: RegExp, times: number])[] = [
  ['Dockerfile', /image\.version="([^"]+)"/g, 1],
  ['compose.yaml', /image: svc-node:(\S+)/g, 1],
  ['compose.dev.yaml', /image: svc-node:(\S+)/g, 1],
  ['compose.peers.yaml', /image: svc-node:(\S+)/g, 1],
  ['deploy/helm/svc-node/Chart.yaml', /^(?:appVersion|version): (\S+)$/gm, 2],
  ...readdirSync('packages').map(
    (name) => [join('packages', name, 'package.json'), /^ {2}"version": "([^"]+)"/gm, 1] as const,
  ),
  ['packages/fake-node/package.json', /"@svc-node\/client": "([^"]+)"/g, 1],
  ['clients/python/pyproject.toml', /^version = "([^"]+)"$/gm, 1],
  ['packages/client/README.md', /svc-node-client-([\d.]+)\.tgz/g, 1],
  ['clients/python/README.md', /svc_node_client-([\d.]+)-py3/g, 1],
  ['docs/signing.md', /svc_node_client-([\d.]+)-py3/g, 1],
  ['docs/tutorials/integrator.md', /svc[-_]node[-_]client-([\d.]+)(?:\.tgz|-py3)/g, 2],
  ['docs/generated/openapi.json', /^ {4}"version": "([^"]+)"/gm, 1],
];

describe('The version', () => {
  for (const [file, pattern, times] of named)
    it(`is that of the package in ${file}`, () => {
      const found = [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, version]) => version);
      expect(found).to.deep.equal(Array.from({ length: times }, () => packageJson.version));
    });
});
