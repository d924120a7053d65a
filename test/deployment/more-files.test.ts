/** compose.dev.yaml, the systemd unit, the Helm chart and SVC_STORE_FILE, compared with the code. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { parseListenAddress, parsePeerAddress } from '../../src/core/codecs/multiaddr.js';
import { loadConfig, variables } from '../../src/node/config/config.js';
import { scratch, tidy } from '../support/scratch.js';
import { fileVariables, flawsOfSettings, isHealthPath, packageJson } from './facts.js';

const read = (file: string): string => readFileSync(file, 'utf8');
const isThere = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const knownVariables = Object.values(variables).map(({ name }) => name as string);

describe('compose.dev.yaml', () => {
  const compose = parse(read('compose.dev.yaml'), { merge: true });

  it('runs one node of this release on this machine, with bounds, and settings that it takes', () => {
    const { node } = compose.services;
    expect(node.image).to.equal(`svc-node:${packageJson.version}`);
    expect(node.ports).to.deep.equal(['127.0.0.1:9528:9528']);
    const { SVC_NETWORK: network, ...rest } = node.environment;
    expect(network).to.equal('devnet');
    expect(loadConfig({ ...rest, SVC_NETWORK: network })).to.not.be.an('array');
    for (const [name, service] of Object.entries<{ mem_limit?: string; logging?: object }>(compose.services)) {
      expect(service, name).to.include.keys('mem_limit', 'logging');
    }
  });

  it('watches it in a profile, with files that are there', () => {
    const { prometheus, grafana } = compose.services;
    expect([prometheus.profiles, grafana.profiles]).to.deep.equal([['monitoring'], ['monitoring']]);
    for (const { file, content } of Object.values<{ file?: string; content?: string }>(compose.configs)) {
      if (file === undefined) expect(parse(content ?? '')).to.be.an('object');
      else expect(existsSync(file), file).to.equal(true);
    }
    const [scrape] = parse(compose.configs.prometheus.content).scrape_configs;
    expect(scrape.job_name).to.match(/^svc-node/);
    expect(scrape.static_configs[0].targets).to.deep.equal(['node:9528']);
  });
});

interface PeerNode {
  readonly image: string;
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly environment: { readonly SVC_PUBLIC_URL: string; readonly SVC_LISTEN: string };
}

describe('compose.peers.yaml', () => {
  const source = read('compose.peers.yaml');
  const compose = parse(source, { merge: true });
  const nodes = Object.entries<PeerNode>(compose.services);

  it('runs three nodes of this release, each with its own database, and settings that they accept', () => {
    expect(nodes).to.have.length(3);
    for (const [name, { image, volumes, environment, ports }] of nodes) {
      expect(image).to.equal(`svc-node:${packageJson.version}`);
      expect(volumes).to.deep.equal([`${name}:/data`]);
      expect(loadConfig({ ...environment }), name).to.not.be.an('array');
      expect(ports).to.deep.equal([`${new URL(environment.SVC_PUBLIC_URL).host}:9528`]);
    }
    expect(Object.keys(compose.volumes)).to.deep.equal(nodes.map(([name]) => name));
    expect(new Set(nodes.map(([, { ports }]) => String(ports))).size).to.equal(3);
  });

  it('says how they become peers, with their names and the port where they listen', () => {
    const loops = [...source.matchAll(/for (?:one|other) in ([a-z ]+); do/g)].map(([, names]) => names!.split(' '));
    expect(loops).to.deep.equal([nodes.map(([name]) => name), nodes.map(([name]) => name)]);
    const [, address] = /peers add (\/dns4\/\S+)/.exec(source)!;
    const id = '12D3KooWLwE9DpgHy975kLz89Fi6QCfmD3sYtRTwm8KVB3bcf3WE';
    const parsed = parsePeerAddress(address!.replace('$one', 'alba').replace('$id', id));
    expect(parsed).to.include({ family: 'dns4', host: 'alba', peerId: id });
    for (const [, { environment }] of nodes) {
      const listen = parseListenAddress(environment.SVC_LISTEN);
      expect(listen).to.include({ port: (parsed as { port: number }).port });
    }
  });

  // It prints the same as `svc-node peers list --json`.
  it('finds the peer id in what a node prints', () => {
    const [, expression] = /\| sed '([^']+)'/.exec(source)!;
    const printed = JSON.stringify({
      listens: ['/ip4/0.0.0.0/tcp/9529/p2p/12D3'],
      peerId: '12D3',
      peers: [{ peerId: '12D4', did: 'did:svc:z6Mk4' }],
      homes: ['did:svc:z6Mk4'],
    });
    const { stdout } = spawnSync('sed', [expression!], { input: printed, encoding: 'utf8' });
    expect(stdout.trim()).to.equal('12D3');
  });
});

describe('deploy/systemd', () => {
  const unit = read('deploy/systemd/svc-node.service');

  it('names variables of the node, and gives it time to stop', () => {
    for (const [name] of unit.matchAll(/SVC_[A-Z_]+(?==)/g)) expect(knownVariables).to.include(name);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).to.be.above(10);
  });

  (isThere('systemd-analyze', '--version') ? it : it.skip)('is a unit that systemd takes', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', 'deploy/systemd/svc-node.service'], {
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
  });
});

describe('deploy/helm', () => {
  const chart = 'deploy/helm/svc-node';
  const template = read(join(chart, 'templates/statefulset.yaml'));

  it('is of this release, with settings and probes of the node', () => {
    expect(parse(read(join(chart, 'Chart.yaml')))).to.include({ appVersion: packageJson.version, name: 'svc-node' });
    const { SVC_NETWORK: _, ...settings } = parse(read(join(chart, 'values.yaml'))).settings;
    expect(flawsOfSettings({ ...settings, SVC_TRUSTED_PROXIES: '10.0.0.1' })).to.deep.equal([]);
    for (const [, path] of template.matchAll(/path: (\/[a-z]+)/g)) expect(isHealthPath(path!), path).to.equal(true);
    for (const [name] of template.matchAll(/\bSVC_[A-Z_]+/g)) expect(knownVariables).to.include(name);
  });

  const withHelm = isThere('helm', 'version') ? it : it.skip;
  const secrets = ['passphraseSecret', 'storeSecret', 'operatorKeySecret', 'contractsConfigMap', 'tlsSecret'];
  const allSet = secrets.flatMap((name) => ['--set', `${name}=${name.toLowerCase()}`]);

  withHelm('passes helm lint', () => {
    for (const settings of [[], allSet]) {
      const { status, stdout } = spawnSync('helm', ['lint', '--strict', ...settings, chart], { encoding: 'utf8' });
      expect(status, stdout).to.equal(0);
    }
  });

  /** The pod that the chart makes with these settings. */
  function podOf(...settings: string[]) {
    const { stdout, stderr } = spawnSync('helm', ['template', 'svc', ...settings, chart], { encoding: 'utf8' });
    const all = parseAllDocuments(stdout).map((each) => each.toJS());
    return all.find((each) => each?.kind === 'StatefulSet')?.spec.template.spec ?? expect.fail(stderr);
  }

  withHelm('asks a node for its health over TLS if it has a certificate, and over HTTP if not', () => {
    for (const [settings, scheme] of [
      [[], 'HTTP'],
      [['--set', 'tlsSecret=tls'], 'HTTPS'],
    ] as const) {
      const [node] = podOf(...settings).containers;
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        expect(node[probe].httpGet.scheme, probe).to.equal(scheme);
      }
    }
  });

  withHelm('mounts each file that a variable of the node names, and no other', () => {
    const pathsOf = (env: readonly { readonly name: string; readonly value: string }[]) =>
      env.filter(({ name, value }) => name !== 'SVC_DATA_DIR' && value.startsWith('/'));
    expect(pathsOf(podOf().containers[0].env)).to.deep.equal([]);
    const { containers, volumes } = podOf(...allSet);
    const [node] = containers;
    const named = pathsOf(node.env);
    const files = [...fileVariables, 'SVC_CONTRACTS'];
    expect(named.map(({ name }) => name).sort()).to.deep.equal(files.sort());
    for (const { name, value } of named) {
      const mount = node.volumeMounts.find(({ mountPath }: { mountPath: string }) => dirname(value) === mountPath);
      expect(mount, name).to.include({ readOnly: true });
      const volume = volumes.find((each: { readonly name: string }) => each.name === mount.name);
      expect(secrets.map((each) => each.toLowerCase())).to.include(volume.secret?.secretName ?? volume.configMap?.name);
    }
  });
});

describe('SVC_STORE_FILE', () => {
  after(tidy);
  const url = 'mongodb://svc:secret@db.example.org/svc';

  it('holds SVC_STORE in its first line, so that no password is in the environment', () => {
    const file = join(scratch(), 'store');
    writeFileSync(file, `${url}\nmore\n`);
    expect(loadConfig({ SVC_STORE_FILE: file }))
      .to.include({ store: url })
      .and.not.have.property('storeFile');
  });

  it('is refused together with SVC_STORE, without a first line, and with a wrong one, which is not repeated', () => {
    const file = join(scratch(), 'store');
    writeFileSync(file, '\n');
    expect(loadConfig({ SVC_STORE_FILE: file, SVC_STORE: 'embedded' })).to.deep.equal([
      'SVC_STORE and SVC_STORE_FILE are both given; one is enough.',
    ]);
    const unread = [`SVC_STORE_FILE names ${file}, whose first line cannot be read.`];
    expect(loadConfig({ SVC_STORE_FILE: file })).to.deep.equal(unread);
    writeFileSync(file, 'postgres://svc:secret@db/svc\n');
    expect(String(loadConfig({ SVC_STORE_FILE: file })))
      .to.include('SVC_STORE must be')
      .and.not.include('secret');
  });
});
