/** From environment variables to a Config, or error messages. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { bounds, faucetQuotas, peerBounds, rateLimits } from '../../src/core/bounds.js';
import { isLoopbackHost, urlsOf } from '../../src/core/urls.js';
import { type Config, loadConfig, variables } from '../../src/node/config/config.js';
import { peerBoundsOf } from '../../src/node/peering.js';
import { ada } from '../world/people.js';

const peerId = '12D3KooWBtg3aaRMjxwedh83aGiUkwSxDwUZkzuJcfaqUmo7R3pq';

type Environment = { [name: string]: string | undefined };

function config(environment: Environment = {}, overrides: Environment = {}): Config {
  const loaded = loadConfig(environment, overrides);
  if (Array.isArray(loaded)) expect.fail(loaded.join(' '));
  return loaded as Config;
}
function faults(environment: Environment): readonly string[] {
  const loaded = loadConfig(environment);
  expect(loaded, 'refused').to.be.an('array');
  return loaded as readonly string[];
}
const file = (name: string, text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'svc-config-')), name);
  writeFileSync(path, text);
  return path;
};

describe('config', () => {
  it('has the documented defaults', () => {
    expect(config()).to.deep.include({
      network: 'devnet',
      host: '127.0.0.1',
      port: 9528,
      dataDir: join(homedir(), '.svc-node', 'devnet'),
      store: 'embedded',
      chain: 'auto',
      confirmations: 1,
      publicUrl: undefined,
      errorBaseUrl: undefined,
      tls: undefined,
      trustedProxies: [],
      corsOrigins: [],
      unlockSeconds: 300,
      settlementWaitMs: 15_000,
      minFee: 0,
      storeQuotaMib: 1024,
      arbiterDid: undefined,
      loopback: true,
      rateLimitLoopback: false,
      logLevel: 'info',
      listen: [],
      peers: [],
      peersAloneSeconds: 10,
      peerCopies: 0,
    });
    expect(config({ SVC_NETWORK: 'testnet' }).loopback).to.equal(false);
    expect(config({ SVC_NETWORK: 'testnet' }).dataDir).to.equal(join(homedir(), '.svc-node', 'testnet'));
  });

  it('is frozen, as the bounds are', () => {
    for (const each of [config(), bounds, peerBounds, rateLimits, faucetQuotas])
      expect(Object.isFrozen(each)).to.equal(true);
  });

  it('reads every variable', () => {
    const pem = file('x.pem', 'x');
    expect(
      config({
        SVC_NETWORK: 'mainnet',
        SVC_HOST: '0.0.0.0',
        SVC_PORT: '0',
        SVC_DATA_DIR: '~/svc',
        SVC_STORE: 'mongodb://u:p@db/x?y=1',
        SVC_CHAIN: 'auto',
        SVC_RPC_URL: 'http://127.0.0.1:8545/',
        SVC_CHAIN_ID: '31337',
        SVC_CONTRACTS: 'x',
        SVC_OPERATOR_KEY_FILE: '/k',
        SVC_CONFIRMATIONS: '12',
        SVC_PUBLIC_URL: 'https://node.example.org/',
        SVC_ERROR_BASE_URL: 'https://errors.example.org/e/',
        SVC_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
        SVC_CORS_ORIGINS: 'https://a.example,http://localhost:3000',
        SVC_TLS_CERT: pem,
        SVC_TLS_KEY: pem,
        SVC_UNLOCK_SECONDS: '0',
        SVC_SETTLEMENT_WAIT_MS: '0',
        SVC_MIN_FEE: '2',
        SVC_ARBITER_DID: ada,
        SVC_LOOPBACK: 'off',
        SVC_RATE_LIMIT_LOOPBACK: 'on',
        SVC_LOG_LEVEL: 'debug',
        SVC_LISTEN: '/ip4/0.0.0.0/tcp/9529',
        SVC_PEERS: `/dns4/A/tcp/1/p2p/${peerId}, /ip6/0::1/tcp/2/p2p/${peerId}`,
      }),
    ).to.deep.include({
      dataDir: join(homedir(), 'svc'),
      store: 'mongodb://u:p@db/x?y=1',
      chainId: 31_337,
      rpcUrl: 'http://127.0.0.1:8545',
      publicUrl: 'https://node.example.org',
      errorBaseUrl: 'https://errors.example.org/e',
      trustedProxies: ['10.0.0.0/8', '::1'],
      corsOrigins: ['https://a.example', 'http://localhost:3000'],
      tls: { cert: pem, key: pem },
      unlockSeconds: 0,
      arbiterDid: ada,
      loopback: false,
      rateLimitLoopback: true,
      listen: [{ family: 'ip4', host: '0.0.0.0', port: 9529 }],
      peers: [
        { family: 'dns4', host: 'a', port: 1, peerId },
        { family: 'ip6', host: '::1', port: 2, peerId },
      ],
    });
  });

  it('names the variable that is wrong', () => {
    for (const [name, values] of Object.entries({
      SVC_NETWORK: ['prod', 'Devnet'],
      SVC_PORT: ['-1', '65536', 'x', '1.5', '0x10', ' 1'],
      SVC_HOST: ['http://x', 'a b'],
      SVC_STORE: ['postgres://x', 'sqlite'],
      SVC_CHAIN: ['ethereum'],
      SVC_RPC_URL: ['localhost:8545', 'ftp://x'],
      SVC_PUBLIC_URL: ['node.example.org', 'https://x?y', 'https://u:p@x'],
      SVC_TRUSTED_PROXIES: ['10.0.0.0/33', 'proxy'],
      SVC_CORS_ORIGINS: ['*', 'https://x/', 'x'],
      SVC_UNLOCK_SECONDS: ['-1', '1d'],
      SVC_ARBITER_DID: ['did:svc:x'],
      SVC_LOOPBACK: ['maybe'],
      SVC_RATE_LIMIT_LOOPBACK: ['maybe'],
      SVC_LOG_LEVEL: ['loud'],
      SVC_LISTEN: ['0.0.0.0:1', '/ip4/0.0.0.0/udp/1', '/dns4/a/tcp/1', `/ip4/0.0.0.0/tcp/1/p2p/${peerId}`],
      SVC_PEERS: ['/dns4/a/tcp/1', `/dns4/a/tcp/1/p2p/${peerId}x`],
      SVC_TLS_CERT: ['/nowhere.pem'],
    })) {
      for (const value of values) {
        const [first] = faults({ [name]: value });
        expect(first, `${name}=${value}`).to.contain(name).and.match(/\.$/);
      }
    }
  });

  it('collects all faults at once', () => {
    expect(faults({ SVC_PORT: 'x', SVC_CHAIN: 'y', SVC_TYPO: '1' })).to.have.length(3);
  });

  it('refuses an unknown SVC_ variable by name, but not those of tests and of others', () => {
    expect(faults({ SVC_PROT: '1' })[0]).to.contain('SVC_PROT');
    config({ SVC_TEST_X: '1', SVC_NODE_X: '1', PATH: '/bin', SVCX: '1' });
  });

  it('an empty variable is an unset one, and the command line wins', () => {
    expect(config({ SVC_PORT: '', SVC_HOST: '' }).port).to.equal(9528);
    expect(config({ SVC_PORT: '1' }, { SVC_PORT: '2', SVC_HOST: undefined })).to.include({
      port: 2,
      host: '127.0.0.1',
    });
  });

  it('says where each value comes from, without secrets', () => {
    const storeFile = file('store', 'mongodb://u:geheim@db/x?authSource=geheim');
    const environment = {
      ...{ SVC_PORT: '1', SVC_HOST: '', SVC_MIN_FEE: '2', SVC_PASSPHRASE: 'correct geheim battery' },
      ...{ SVC_STORE_FILE: storeFile, SVC_RPC_URL: 'https://rpc.example/geheim' },
    };
    const loaded = loadConfig(environment, { SVC_PORT: '2' }, { SVC_NETWORK: 'testnet', SVC_MIN_FEE: '3' }) as Config;
    expect(loaded).to.include({ port: 2, minFee: 2, network: 'testnet' });
    const known = new Map(loaded.variables.map(({ name, value, from }) => [name, [value, from]]));
    expect([...known.keys()]).to.deep.equal(Object.values(variables).map(({ name }) => name));
    expect(
      [
        ...['SVC_PORT', 'SVC_HOST', 'SVC_MIN_FEE', 'SVC_NETWORK', 'SVC_STORE', 'SVC_STORE_FILE', 'SVC_RPC_URL'],
        ...['SVC_PASSPHRASE', 'SVC_CHAIN_ID'],
      ].map((name) => known.get(name)),
    ).to.deep.equal([
      ...[
        ['2', 'flag'],
        ['127.0.0.1', 'default'],
        ['2', 'environment'],
        ['testnet', 'file'],
      ],
      ...[
        ['mongodb://db/x', 'file'],
        [storeFile, 'environment'],
        ['set', 'environment'],
      ],
      ...[
        ['set', 'environment'],
        [null, 'default'],
      ],
    ]);
    expect(JSON.stringify(loaded.variables)).not.to.include('geheim');
  });

  it('bounds the limits of one address by those in all', () => {
    for (const [name, most] of [
      ['SVC_CONNECTIONS_PER_ADDRESS', bounds.connections],
      ['SVC_PEER_CONNECTIONS_PER_ADDRESS', peerBounds.connections],
      ['SVC_PEER_HANDSHAKES_PER_ADDRESS', peerBounds.handshakes],
      ['SVC_READS_PER_ADDRESS', 1_000_000],
      ['SVC_WRITES_PER_ADDRESS', 1_000_000],
    ] as const) {
      config({ [name]: String(most) });
      for (const wrong of ['0', String(most + 1), '-1']) expect(faults({ [name]: wrong })[0], wrong).to.contain(name);
    }
    expect(peerBoundsOf(config())).to.deep.equal(peerBounds);
    const raised = config({ SVC_PEER_CONNECTIONS_PER_ADDRESS: '500', SVC_PEER_HANDSHAKES_PER_ADDRESS: '40' });
    expect(peerBoundsOf(raised)).to.deep.include({
      ...{ connectionsPerAddress: 500, handshakesPerAddress: 40, handshakesPerKnownAddress: 40 },
    });
  });

  it('takes the passphrase out of the environment and keeps it out of sight', () => {
    const environment: Environment = { SVC_PASSPHRASE: 'correct horse battery' };
    const loaded = config(environment);
    expect(loaded.passphrase).to.equal('correct horse battery');
    expect(environment).to.not.have.property('SVC_PASSPHRASE');
    expect(JSON.stringify(loaded)).to.not.contain('horse');
    expect({ ...loaded }).to.not.have.property('passphrase');
    const path = file('pass', 'from a longer file\r\nsecond line');
    expect(config({ SVC_PASSPHRASE_FILE: path }).passphrase).to.equal('from a longer file');
  });

  it('refuses passphrases that are short, doubled or not there', () => {
    expect(faults({ SVC_PASSPHRASE: 'short' })[0])
      .to.match(/^SVC_PASSPHRASE .*12 characters/)
      .and.not.contain('short"');
    expect(faults({ SVC_PASSPHRASE_FILE: file('brief', 'short') })[0]).to.match(/^SVC_PASSPHRASE_FILE.*12 characters/);
    expect(faults({ SVC_PASSPHRASE: 'correct horse battery', SVC_PASSPHRASE_FILE: '/x' })[0]).to.contain('both');
    expect(faults({ SVC_PASSPHRASE_FILE: '/nowhere' })[0]).to.contain('SVC_PASSPHRASE_FILE');
    const environment = { SVC_PASSPHRASE: 'correct horse battery', SVC_PORT: 'x' };
    faults(environment);
    expect(environment).to.not.have.property('SVC_PASSPHRASE');
  });

  it('keeps mainnet safe', () => {
    const mainnet = { SVC_NETWORK: 'mainnet' };
    config(mainnet);
    config({ ...mainnet, SVC_HOST: '::1' });
    expect(faults({ ...mainnet, SVC_HOST: '0.0.0.0' })[0])
      .to.contain('SVC_TLS_CERT')
      .and.contain('SVC_TRUSTED_PROXIES');
    config({ ...mainnet, SVC_HOST: '0.0.0.0', SVC_TRUSTED_PROXIES: '10.0.0.1' });
    expect(faults({ ...mainnet, SVC_CHAIN: 'none' })[0]).to.contain('SVC_CHAIN');
    config({ SVC_CHAIN: 'none', SVC_HOST: '0.0.0.0' });
    expect(faults({ SVC_TLS_CERT: file('c', 'x') })[0]).to.contain('SVC_TLS_KEY');
  });

  it('builds its URLs from the port that listens', () => {
    expect(urlsOf(config({ SVC_PORT: '0' }), 4711)).to.deep.equal({
      publicUrl: 'http://127.0.0.1:4711',
      errorBaseUrl: 'http://127.0.0.1:4711/errors',
    });
    expect(urlsOf(config({ SVC_HOST: '::' }), 1).publicUrl).to.equal('http://[::1]:1');
    expect(urlsOf(config({ SVC_HOST: '0.0.0.0' }), 1).publicUrl).to.equal('http://127.0.0.1:1');
    expect(urlsOf(config({ SVC_PUBLIC_URL: 'https://x.org' }), 1)).to.deep.equal({
      publicUrl: 'https://x.org',
      errorBaseUrl: 'https://x.org/errors',
    });
    expect(urlsOf(config({ SVC_ERROR_BASE_URL: 'https://e.org' }), 1).errorBaseUrl).to.equal('https://e.org');
  });

  it('knows what stays on this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1']) {
      expect(isLoopbackHost(host), host).to.equal(true);
    }
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.evil', '127.0.0.1.evil', '']) {
      expect(isLoopbackHost(host), host).to.equal(false);
    }
  });

  it('documents each variable', () => {
    for (const variable of Object.values(variables)) {
      expect(variable.name).to.match(/^SVC_[A-Z_]+$/);
      expect(variable.description).to.match(/\.$/);
    }
  });
});
