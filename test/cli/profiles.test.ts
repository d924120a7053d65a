/** Profiles and the address book: a profile chooses signer and node, and its secrets are sent only to its own node. */
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { scratch, tidy } from '../support/scratch.js';
import { json } from './support/command.js';
import { runHere } from './support/here.js';

const ada = `did:svc:z6Mk${'a'.repeat(44)}`;

describe('svc-node, profiles', () => {
  let dir: string;
  let preferences: string;
  const asked: { url: string; key: unknown; body: { [name: string]: unknown } }[] = [];
  const servers: Server[] = [];
  const urls: string[] = [];
  let ben: string;
  /** What the commands have said that made the profiles. */
  const said: string[] = [];
  /** The file with these profiles, with which each test begins. */
  let saved: Buffer;

  async function stub(): Promise<void> {
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      asked.push({
        url: request.url ?? '',
        key: request.headers['x-api-key'],
        body: text === '' ? {} : JSON.parse(text),
      });
      response.setHeader('Content-Type', 'application/json').end('{"nextNonce":1,"did":"x","matches":[]}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  before(async () => {
    dir = scratch();
    preferences = join(dir, 'below', 'cli.json');
    await stub();
    await stub();
    const made = await runHere(['identity', 'create', '--data', dir, '--json'], {
      SVC_PASSPHRASE: 'of ben, for a test',
    });
    ben = (JSON.parse(made.stdout) as { did: string }).did;
    writeFileSync(join(dir, 'key'), 'svck_ada\n');
    writeFileSync(join(dir, 'pass'), 'correct horse battery\n');
    const files = ['--key-file', join(dir, 'key'), '--passphrase-file', join(dir, 'pass')];
    for (const words of [
      ['address', 'add', 'ben', ben],
      ['config', 'set', 'first', '--url', 'http://127.0.0.1:9'],
      ['config', 'set', 'ada', '--url', `${urls[0]}/api/v1`, '--did', 'ben', ...files],
      ['config', 'use', 'ada'],
    ])
      said.push((await run(words)).stdout);
    saved = readFileSync(preferences);
  });
  beforeEach(() => writeFileSync(preferences, saved));
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await tidy();
  });

  const run = (words: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    runHere([...words], { SVC_NODE_PREFERENCES: preferences, ...more });
  async function asks(words: readonly string[], more: NodeJS.ProcessEnv = {}) {
    asked.splice(0);
    const end = await run(words, more);
    expect(end.code, end.stderr).to.equal(0);
    return asked;
  }

  it('hold the node, the signer and the files of the secrets, never a secret', async () => {
    expect(said).to.deep.equal([
      `ben is ${ben}.\n`,
      `Saved first in ${preferences}. Commands use it.\n`,
      `Saved ada in ${preferences}. svc-node config use ada chooses it.\n`,
      `Commands now use ada, which signs as ${ben}.\n`,
    ]);
    expect(statSync(preferences).mode & 0o777).to.equal(0o600);
    expect(readFileSync(preferences, 'utf8')).to.not.include('svck_').and.not.include('horse');
    expect((await run(['config', 'list'])).stdout).to.equal(
      `\tNAME\tNODE\tDID\n\tfirst\thttp://127.0.0.1:9\t–\n*\tada\t${urls[0]}/api/v1\t${ben}\n`,
    );
  });

  it('take the DID of a key file, and no other one beside it', async () => {
    const file = join(dir, 'own.json');
    const env = { SVC_PASSPHRASE: 'correct horse battery' };
    const { did } = json<{ did: string }>(await run(['key', 'create', file, '--json'], env));
    const set = ['config', 'set', 'own', '--url', urls[0]!, '--signing-key', file];
    expect(json(await run([...set, '--json']))).to.deep.equal({ url: urls[0], signingKey: file, did });
    expect(await run([...set, '--did', ada])).to.include({ code: 2 });
    const none = await run(['config', 'set', 'own', '--signing-key', join(dir, 'key')]);
    expect(none.stderr).to.include('is no key file');
    expect((await run(['config', 'remove', 'own'])).code).to.equal(0);
  });

  it('fill what is not typed: node, key, signer and passphrase; names stand for DIDs', async () => {
    const [, write] = await asks(['transfer', '--to', 'ben', '--amount', '5', '--json']);
    expect(write).to.deep.include({ url: '/api/v1/transfers', key: 'svck_ada' });
    expect(write!.body).to.include({ did: ben, to: ben, passphrase: 'correct horse battery' });
    expect((await asks(['wallet', 'get']))[0]!.url).to.equal(`/api/v1/wallets/${encodeURIComponent(ben)}`);
    expect((await asks(['wallet', 'get', ada]))[0]!.url).to.equal(`/api/v1/wallets/${encodeURIComponent(ada)}`);
    expect((await asks(['escrow', 'list', '--did', 'ben']))[0]!.url).to.equal(
      `/api/v1/escrows?did=${encodeURIComponent(ben)}`,
    );
    expect((await asks(['faucet', '--json']))[0]!.body).to.deep.equal({ did: ben });
    const [rules] = (
      await asks(['escrow', 'create', '--beneficiary', 'ben', '--amount', '1', '--json', ...ruleWords])
    ).slice(-1);
    expect(rules!.body.releaseRules).to.deep.equal([
      { type: 'manual' },
      { type: 'manual', by: ['arbiter', ben] },
      { type: 'time', after: Date.UTC(2026, 11, 1) },
      { type: 'hash', hash: 'e'.repeat(64) },
      { type: 'signature', signers: [ben, ada], threshold: 2 },
    ]);
  });
  const ruleWords = [
    'manual',
    'manual=arbiter,ben',
    'after=2026-12-01',
    `sha256=${'E'.repeat(64)}`,
    `signers=ben,${ada}:2`,
  ].flatMap((rule) => ['--release', rule]);

  it('refuse a rule that is none, with the forms that there are', async () => {
    for (const rule of ['sha256=abc', 'after=soon', 'whenever', 'signers=', 'after=2026-13-40']) {
      const end = await run(['escrow', 'create', '--beneficiary', 'ben', '--amount', '1', '--release', rule]);
      expect(end.code, rule).to.equal(2);
      expect(end.stderr).to.match(/is not a (rule: it takes manual|time such as 2026-12-01)/);
    }
  });

  it('keep key and passphrase from another node than their own', async () => {
    for (const [words, env] of [
      [['--url', urls[1]!], {}],
      [[], { SVC_NODE_URL: urls[1]! }],
    ] as const) {
      const [read] = await asks(['wallet', 'get', ben, ...words], env);
      expect(read!.key).to.equal(undefined);
      const end = await run(['transfer', '--to', 'ben', '--amount', '5', ...words], env);
      expect(end.code).to.equal(2);
      expect(end.stderr).to.include('A passphrase is needed');
    }
    expect((await asks(['wallet', 'get', ben], { SVC_NODE_KEY: 'svck_other' }))[0]!.key).to.equal('svck_other');
  });

  it('say of a new name that it looks like one of the address book', async () => {
    const other = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';
    const says = `looks like ben, your name for ${ben}.`;
    expect((await run(['address', 'add', 'bеn', other])).stderr).to.equal(`“bеn” ${says}\n`);
    expect((await run(['address', 'remove', 'bеn'])).code).to.equal(0);
    expect((await run(['address', 'add', 'benno', other])).stderr).to.equal('');
    expect((await run(['address', 'remove', 'benno'])).code).to.equal(0);
    for (const [displayName, isAlike] of [
      ['BEN', true],
      ['Benno', false],
    ] as const) {
      const document = JSON.stringify({ displayName });
      const update = ['identity', 'update', ada, '--document', document, '--prev-doc-hash', 'e'.repeat(64)];
      expect((await run(update)).stderr.includes(`“${displayName}” ${says}`), displayName).to.equal(isAlike);
    }
  });

  it('say what there is where a name is unknown, and take no name that could be a DID', async () => {
    expect((await run(['config', 'use', 'eve'])).stderr).to.equal(
      'svc-node: There is no profile eve: there are first, ada.\n',
    );
    expect((await run(['wallet', 'get', '--profile', 'constructor'])).code).to.equal(2);
    for (const name of ['did:svc:z', 'svc1abc', '__proto__', 'constructor', '', 'a b']) {
      expect((await run(['address', 'add', name, ben])).code, name).to.equal(2);
    }
    expect((await run(['address', 'remove', 'eve'])).code).to.equal(1);
    expect((await run(['address', 'remove', 'ben'])).stdout).to.equal('Removed ben.\n');
    expect((await run(['config', 'remove', 'ada'])).stdout).to.equal('Removed ada.\n');
    expect((await run(['config', 'show'])).stderr).to.include('No profile is in use');
  });

  it('leave a damaged file to its owner', async () => {
    writeFileSync(preferences, '{');
    const end = await run(['config', 'list']);
    expect(end.code).to.equal(1);
    expect(end.stderr).to.include(`${preferences} is not JSON`);
  });
});
