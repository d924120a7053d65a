/**
 * compose.peers.yaml without Docker: its services run as processes with the environment of the image and of the file, on
 * 127.0.0.1 and free ports, and the commands in its head are run as they stand there.
 */
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { checkout } from '../cli/support/command.js';
import { get, post, startNode, type TestNode } from '../cli/support/node.js';
import { freePort } from '../support/free-port.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { environmentOf } from './dockerfile.js';

interface PeersCompose {
  readonly services: {
    readonly [name: string]: { readonly environment: Variables; readonly volumes: readonly string[] };
  };
}

type Variables = { readonly [name: string]: string };

interface Service {
  readonly name: string;
  readonly peersPort: number;
  readonly env: Variables;
  readonly node: TestNode;
}

const file = 'compose.peers.yaml';
const source = readFileSync(file, 'utf8');

/** Replaces what must differ where all services share one machine. */
async function started(name: string, given: Variables): Promise<Service> {
  const [peersPort, port] = [await freePort(), await freePort()];
  const env = {
    ...environmentOf(readFileSync('Dockerfile', 'utf8')),
    ...given,
    SVC_HOST: '127.0.0.1',
    SVC_PORT: String(port),
    SVC_DATA_DIR: scratch(),
    SVC_PUBLIC_URL: `http://127.0.0.1:${port}`,
    SVC_LISTEN: given.SVC_LISTEN!.replace('/0.0.0.0/tcp/9529', `/127.0.0.1/tcp/${peersPort}`),
  };
  const node = await startNode(env.SVC_DATA_DIR, ['--port', env.SVC_PORT], { env });
  return { name, peersPort, env, node };
}

/** Takes `docker compose … exec -T SERVICE COMMAND …` as Docker does, in the processes of this test. */
function dockerFor(services: readonly Service[]): string {
  const dir = scratch();
  const cases = services.map(({ name, env }) => {
    const set = Object.entries(env).filter(([variable]) => variable.startsWith('SVC_'));
    return `${name}) ${set.map(([variable, value]) => `export ${variable}='${value}'`).join('; ')};;`;
  });
  const hosts = services.map(
    ({ name, peersPort }) =>
      `words=("\${words[@]//\\/dns4\\/${name}\\/tcp\\/9529/\\/ip4\\/127.0.0.1\\/tcp\\/${peersPort}}")`,
  );
  const script = [
    '#!/usr/bin/env bash',
    `[ "$1 $2 $3 $4 $5" = 'compose -f ${file} exec -T' ] || { echo "not exec: $*" >&2; exit 64; }`,
    `case $6 in ${cases.join(' ')} *) echo "no service $6" >&2; exit 64;; esac`,
    '[ "$7" = svc-node ] || { echo "not in the image: $7" >&2; exit 64; }',
    'shift 7; words=("$@")',
    ...hosts,
    `exec '${process.execPath}' '${join(checkout, 'bin', 'svc-node.mjs')}' "\${words[@]}"`,
  ];
  writeFileSync(join(dir, 'docker'), `${script.join('\n')}\n`);
  chmodSync(join(dir, 'docker'), 0o700);
  return dir;
}

describe('compose.peers.yaml', () => {
  let services: readonly Service[] = [];

  before(async () => {
    const { services: written } = parse(source, { merge: true }) as PeersCompose;
    services = await Promise.all(Object.entries(written).map(([name, { environment }]) => started(name, environment)));
  });
  after(tidy);

  it('runs three nodes that are peers after the commands of its head', async () => {
    const commands = [...source.matchAll(/^# {3}(.*)$/gm)].map(([, line]) => line);
    expect(commands[0]).to.match(/^svc\(\)/);
    const env = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))),
      PATH: `${dockerFor(services)}:${process.env.PATH}`,
    };
    const run = promisify(execFile);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands.join('\n')], { env });
    const [first, ...others] = services as [Service, ...Service[]];
    // The last command lists the peers of the first node.
    for (const { node } of others) expect(stdout).to.include(node.did);
    expect(stdout).to.not.include(first.node.did);
    for (const { node } of services) {
      const peers = async () => (await get(`${node.url}/api/v1/node/peers`)).body.peers;
      const status = ({ status, did }: { status: string; did: string }) => `${did} ${status}`;
      const wanted = services.filter((each) => each.node !== node).map((each) => `${each.node.did} current`);
      await until('its peers are current', peers, {
        is: (found) => found.map(status).sort().join() === wanted.sort().join(),
      });
    }
  });

  it('follow what one of them writes, and stop', async () => {
    const [home, ...others] = services as [Service, ...Service[]];
    const { did } = home.node;
    const made = await post(`${home.node.url}/api/v1/identities`, { passphrase: 'correct horse battery staple' });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const { height } = (await get(`${home.node.url}/api/v1/node`)).body;
    for (const { node } of others) {
      const followed = async () => {
        const { peers } = (await get(`${node.url}/api/v1/node/peers`)).body;
        return peers.find((peer: { readonly did: string }) => peer.did === did).followed;
      };
      await until('its entries are followed', followed, { is: (seq) => seq >= height });
    }
    for (const { node } of services) expect((await node.stop()).code).to.equal(0);
  });
});
