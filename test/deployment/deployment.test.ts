/**
 * Dockerfile and compose.yaml can't be run here, so they are parsed and compared with the code. Each planted mistake must be
 * found.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { flawsOfCompose } from './compose.js';
import { environmentOf, flawsOfDockerfile, healthCommandOf } from './dockerfile.js';
import { ignoredBy } from './dockerignore.js';

const read = (file: string): string => readFileSync(file, 'utf8');

/** Replaces a text that must occur. */
function changed(source: string, from: string, to: string): string {
  expect(source, 'what a test changes').to.include(from);
  return source.replace(from, () => to);
}

type Mistake = readonly [from: string, to: string, says: string];

describe('Dockerfile', () => {
  const source = read('Dockerfile');
  const ignored = ignoredBy(read('.dockerignore'));
  const flaws = (text: string) => flawsOfDockerfile(text, ignored);

  it('is in order', () => {
    expect(flaws(source)).to.deep.equal([]);
  });

  const mistakes: readonly Mistake[] = [
    ['FROM node:24-bookworm-slim\n#', '#', 'not made in stages'],
    ['FROM node:24-bookworm-slim\n#', 'FROM node:24-alpine\n#', 'not a slim Debian'],
    ['FROM node:24-bookworm-slim AS', 'FROM node:18-bookworm-slim AS', 'not a Node.js that the package is for'],
    ['COPY docs docs\n', '', 'docs is not copied'],
    [' scripts/bundle-fake-node.mjs', '', 'bundle-fake-node.mjs is not copied'],
    [' SECURITY.md', '', 'SECURITY.md is not copied'],
    ['org.opencontainers.image.source=', 'org.opencontainers.image.sauce=', 'no label org.opencontainers.image.source'],
    ['COPY console console\n', '', 'console is not copied'],
    ['COPY src src', 'COPY source src', 'COPY source: it is not there'],
    ['COPY src src', 'COPY src src\nCOPY test test', 'COPY test: it is not there, or .dockerignore'],
    [' --omit=dev', '', 'without those for developers'],
    ['npm pack', 'npm install', 'not what npm pack makes'],
    ['COPY --from=build /app /app', 'COPY bin /app/bin', 'from elsewhere than an earlier stage'],
    ['USER node\n', '', 'runs as root'],
    ['USER node', 'USER root', 'runs as root'],
    ['SVC_PORT=9528', 'SVC_PORT=8080', 'SVC_PORT is 8080'],
    ['SVC_HOST=', 'SVC_HOSTS=', 'SVC_HOSTS is no variable of the node'],
    ['EXPOSE 9528', 'EXPOSE 80', 'EXPOSE is not SVC_PORT'],
    ['VOLUME /data', 'VOLUME /var/lib', 'VOLUME is not SVC_DATA_DIR'],
    ['-m 0700 /data /data/keystore', '-m 0700 /srv', 'data directory is not made'],
    ["'/healthz'", "'/health'", 'no health of ours'],
    ['HEALTHCHECK --interval', '# HEALTHCHECK --interval', 'no health of ours'],
    ['/app/bin/svc-node.mjs', '/app/bin/node.mjs', 'svc-node is not on the path'],
    ['ENTRYPOINT ["svc-node"]', 'ENTRYPOINT svc-node', 'does not run a node'],
    ['CMD ["start"]', 'CMD ["serve"]', 'does not run a node'],
    ['STOPSIGNAL SIGTERM', 'STOPSIGNALS SIGTERM', 'STOPSIGNALS is no instruction'],
  ];
  for (const [from, to, says] of mistakes) {
    it(`is not with ${JSON.stringify(to || `nothing for ${from}`)}`, () => {
      expect(flaws(changed(source, from, to)).join('\n')).to.include(says);
    });
  }

  it('checks its health in a way that distinguishes an answer from none', async () => {
    const [command, ...args] = healthCommandOf(source)!;
    expect(command).to.equal('node');
    // In another process, because this one waits for it.
    const check = (port: number, tls: NodeJS.ProcessEnv = {}) =>
      new Promise<number | null>((resolve) => {
        const env = { ...process.env, ...environmentOf(source), ...tls, SVC_PORT: String(port) };
        spawn(process.execPath, args, { env }).on('exit', resolve);
      });
    let status = 200;
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? status : 404).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await check(port)).to.equal(0);
    status = 503;
    expect(await check(port)).to.equal(1);
    await new Promise((resolve) => server.close(resolve));
    expect(await check(port)).to.equal(1);
    // With a certificate the health check uses TLS, so a server without TLS can't answer it.
    const plain = createServer((_, response) => response.end('{}'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port: plainPort } = plain.address() as AddressInfo;
    expect(await check(plainPort)).to.equal(0);
    expect(await check(plainPort, { SVC_TLS_CERT: 'cert.pem' })).to.equal(1);
    plain.closeAllConnections();
    await new Promise((resolve) => plain.close(resolve));
  });

  it('checks the health of a node with TLS, whose certificate is for another name', async function () {
    const dir = mkdtempSync(join(tmpdir(), 'svc-health-'));
    const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
    const made = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      '/CN=node.example.org',
    ];
    const { status } = spawnSync('openssl', ['req', '-x509', ...made, '-keyout', key, '-out', cert]);
    if (status !== 0) this.skip(); // no openssl on this machine
    const server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, response) => {
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { ...process.env, ...environmentOf(source), SVC_TLS_CERT: cert, SVC_PORT: String(port) };
    const [, ...args] = healthCommandOf(source)!;
    expect(await new Promise((resolve) => spawn(process.execPath, args, { env }).on('exit', resolve))).to.equal(0);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(dir, { recursive: true });
  });
});

describe('compose.yaml', () => {
  const source = read('compose.yaml');

  it('is in order', () => {
    expect(flawsOfCompose(source)).to.deep.equal([]);
  });

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: compose replaces these
  const mistakes: readonly Mistake[] = [
    ['services:\n', 'services:\n\tproxy:\n', 'Tabs'],
    ['  node2:\n    <<: *node\n', '  node2:\n    <<: *nodes\n', 'Merge sources must be maps'],
    ['  SVC_STORE_FILE: ', '  SVC_DATABASE: ', 'SVC_DATABASE is no variable of the node'],
    ['mongodb://svc:PASSWORD', 'mongo://svc:PASSWORD', 'SVC_STORE names other servers'],
    ['/run/secrets/store\n', '/run/secrets/database\n', 'which is no secret of it'],
    ["exec(secret('store'))", "exec(secret('mongo-root'))", 'another password than the nodes send'],
    ['SVC_PUBLIC_URL: https://', 'SVC_PUBLIC_URL: ', 'SVC_PUBLIC_URL must be a URL'],
    ['SVC_TRUSTED_PROXIES: 172.30.95.2', 'SVC_TRUSTED_PROXIES: 172.30.95.3', 'does not trust the proxy at 172.30.95.2'],
    ['SVC_TRUSTED_PROXIES: 172.30.95.2', 'SVC_TRUSTED_PROXIES: proxy', 'SVC_TRUSTED_PROXIES has the element'],
    ['{ ipv4_address: 172.30.95.2 }', '{}', 'no address of its own on front'],
    ['ip_range: 172.30.95.128/25', 'ip_range: 172.30.95.0/24', 'no address of its own on front'],
    ['      entry: {}\n', '      outside: {}\n', 'shares 2 networks with the proxy'],
    ['/run/secrets/node1-passphrase', '/run/secrets/passphrase', 'which is no secret of it'],
    [
      'secrets: [node2-passphrase, operator-key, store]',
      'secrets: [node2-passphrase, store]',
      'SVC_OPERATOR_KEY_FILE names',
    ],
    ['volumes: [node2:/data,', 'volumes: [node1:/data,', 'nodes share a data directory'],
    ['node3:/data, keystore:/data/keystore]', 'node3:/data]', 'no keystore in common'],
    ['image: svc-node:0.1.0', 'image: svc-node:0.0.9', 'its image is svc-node:0.0.9'],
    ['stop_grace_period: 20s', 'stop_grace_period: 5s', 'killed 5s after'],
    ['  read_only: true', '  privileged: true', 'another user than its image says'],
    ['volumes: [node1:/data,', 'ports: ["9528:9528"]\n    volumes: [node1:/data,', 'published next to the proxy'],
    ['node3:9528 {', 'node3:9529 {', 'other nodes behind it'],
    ['health_uri /readyz', 'health_uri /ready', 'asks /ready for the health'],
    [
      'SVC_DOMAIN: ${SVC_DOMAIN:?}\n    ports',
      'DOMAIN: ${SVC_DOMAIN:?}\n    ports',
      'the proxy is not told SVC_DOMAIN',
    ],
    ['mongo2:27017,mongo3:27017/svc', 'mongo2:27017/svc', 'SVC_STORE names other servers'],
    ['replicaSet=rs0', 'replicaSet=rs1', 'names another replica set'],
    ['DATABASE: svc-', 'DATABASE: ledger-', 'its user may not use its database'],
    ["'mongo3:27017']", "'mongo4:27017']", 'another replica set is initiated'],
    ["_id: 'rs0'", "_id: 'rs'", 'another replica set is initiated'],
    [', --keyFile, /etc/mongo-key', '', 'accepts all clients'],
    ['mongo2: { condition: service_healthy }', 'mongo4: { condition: service_healthy }', 'waits for mongo4'],
    ['mongo-init: { condition: service_completed_successfully }', 'mongo-init: { condition: done }', 'is no condition'],
    ['  mongo2: {}\n', '', 'volume mongo2 is not declared'],
    ['  mongo3: {}\n', '  mongo3: {}\n  old: {}\n', 'volume old is unused'],
    ['  operator-key: { file', '  key: { file', 'secret operator-key is not declared'],
    ['${SVC_CHAIN_ID:?}', '${CHAIN_ID:?}', '${CHAIN_ID} has neither'],
    ['SVC_RPC_URL, SVC_CHAIN_ID\n', 'SVC_CHAIN_ID\n', '.env needs SVC_RPC_URL'],
    ['target: /etc/svc-contracts.json', 'target: /etc/contracts.json', 'its SVC_CONTRACTS is not there'],
  ];
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
  for (const [from, to, says] of mistakes) {
    it(`is not with ${JSON.stringify(to || `nothing for ${from}`)}`, () => {
      expect(flawsOfCompose(changed(source, from, to)).join('\n')).to.include(says);
    });
  }
});
