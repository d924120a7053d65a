/** Commands that sign with a key file of the caller (docs/signing.md#on-the-command-line). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import Database from 'libsql';
import type { KeyFileMembers } from '../../packages/client/src/signing/key-file.js';
import { openKey } from '../../src/cli/key/key-file.js';
import { argon2Kdf } from '../../src/keys/kdf.js';
import { openSeed } from '../../src/keys/keyfile.js';
import { filesBelow } from '../support/files.js';
import { scratch, tidy } from '../support/scratch.js';
import { type Ended, ended, json, spawnCommand, svcNode } from './support/command.js';
import { faucet, get, startHere, type TestNode } from './support/node.js';

const passphrase = 'correct horse battery staple';
const secret = { SVC_PASSPHRASE: passphrase };

interface Holder {
  readonly did: string;
  readonly file: string;
}

/** A key as `key create` makes it. */
async function holder(...options: readonly string[]): Promise<Holder> {
  const file = join(scratch(), 'key.json');
  const made = await svcNode(['key', 'create', file, '--json', ...options], { env: secret });
  return { did: json<Holder>(made).did, file };
}

/** Passes requests on to a node, and loses answers. */
class Relay {
  /** Called with the path of each POST. 'before': the request is lost; 'after': its answer; 'refused': as by a proxy. */
  loses: (path: string, body: string) => 'before' | 'after' | 'refused' | undefined = () => undefined;
  readonly #server: Server = createServer((request, response) => void this.#pass(request, response));

  constructor(readonly node: string) {}

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = 'GET', url = '/' } = request;
    const loss = method === 'POST' ? this.loses(url, body) : undefined;
    if (loss === 'refused') return void response.writeHead(413).end('<html>too large</html>');
    if (loss === 'before') return void request.socket.destroy();
    const reader = request.headers['svc-reader'];
    const headers = { 'Content-Type': 'application/json', ...(reader && { 'Svc-Reader': String(reader) }) };
    const answer = await fetch(this.node + url, { method, headers, ...(method === 'GET' ? {} : { body }) });
    const text = await answer.text();
    if (loss === 'after') return void request.socket.destroy();
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' });
    response.end(text);
  }
}

/** What an outbox keeps. */
function keptIn({ file }: Holder): number {
  const database = new Database(`${file}.outbox`);
  try {
    return (database.prepare('SELECT count(*) AS count FROM writes').get() as { count: number }).count;
  } finally {
    database.close();
  }
}

describe('svc-node key', () => {
  after(tidy);

  it('makes a key file without a node or a data directory, for its maker alone, and says whose it is', async () => {
    const file = join(scratch(), 'ada.json');
    const env = { ...secret, SVC_DATA_DIR: join(scratch(), 'none') };
    const made = json<Holder>(await svcNode(['key', 'create', file, '--network', 'testnet', '--json'], { env }));
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(existsSync(env.SVC_DATA_DIR)).to.equal(false);
    const { network, did, address, createdAt } = JSON.parse(readFileSync(file, 'utf8')) as KeyFileMembers;
    expect(made).to.deep.equal({ did, address, network: 'testnet', file });
    expect(network).to.equal('testnet');
    const shown = json(await svcNode(['key', 'show', file, '--json']));
    expect(shown).to.deep.equal({ did, address, network, createdAt, file });
    const text = (await svcNode(['key', 'show', file])).stdout;
    expect(text).to.match(/^DID +did:svc:z6Mk\w+\nAddress +svc1\w+\nNetwork +testnet\nCreated +\d{4}-/);
  });

  it('overwrites no file, and takes no short passphrase', async () => {
    const { file } = await holder();
    const before = readFileSync(file);
    const again = await svcNode(['key', 'create', file], { env: secret });
    expect(again).to.include({ code: 1, stdout: '', stderr: `svc-node: ${file}: it exists already\n` });
    expect(readFileSync(file).equals(before)).to.equal(true);
    const other = join(scratch(), 'pass.txt');
    writeFileSync(other, 'short\n');
    const short = await svcNode(['key', 'create', join(scratch(), 'x.json'), '--passphrase-file', other]);
    expect(short).to.include({ code: 1, stderr: 'svc-node: passphrase: needs at least 12 characters\n' });
    const gone = join(scratch(), 'none', 'x.json');
    const nowhere = await svcNode(['key', 'create', gone], { env: secret });
    expect(nowhere).to.include({ code: 1, stderr: `svc-node: ${gone}: there is no such file or directory\n` });
  });

  it('goes into a keystore and comes out of one', async () => {
    const { file, did } = await holder();
    const data = scratch();
    expect((await svcNode(['identity', 'import', file, '--data', data], { env: secret })).code).to.equal(0);
    const out = join(scratch(), 'out.json');
    await svcNode(['identity', 'export', did, '--data', data, '--out', out]);
    expect(JSON.parse(readFileSync(out, 'utf8'))).to.deep.equal(JSON.parse(readFileSync(file, 'utf8')));
    const key = await openKey(JSON.parse(readFileSync(out, 'utf8')), passphrase);
    expect(key.did).to.equal(did);
  });
});

describe('A command with --signing-key', () => {
  const data = scratch();
  let node: TestNode;
  let relay: Relay;
  let url: string;
  let ada: Holder;
  let ben: Holder;

  before(async () => {
    node = await startHere(data);
    relay = new Relay(node.url);
    url = await relay.open();
  });
  after(async () => {
    relay.close();
    await tidy();
  });
  beforeEach(async () => {
    relay.loses = () => undefined;
    [ada, ben] = [await holder(), await holder()];
    await faucet(node, ada.did);
  });

  const ask = (words: readonly string[], { file }: Holder = ada, env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    svcNode([...words, '--url', url, '--signing-key', file], { env: { ...secret, ...env } });
  const pay = (amount: number, ...options: readonly string[]) => [
    'transfer',
    '--to',
    ben.did,
    '--amount',
    `${amount}`,
    ...options,
  ];
  const has = async ({ did }: Holder): Promise<number> => (await get(`${node.url}/api/v1/wallets/${did}`)).body.balance;

  it('signs here what the node prepares, and prints what a command always prints', async () => {
    const paid = await ask(pay(5, '--memo', 'thanks', '--most', '5'));
    expect(paid.stderr).to.equal('');
    expect(paid.stdout).to.equal(
      `Sent 5 to ${ben.did}. Entry ${(await get(`${node.url}/api/v1/events?order=newest`)).body.events[0].seq}.\n`,
    );
    const reply = json(await ask(pay(2, '--json')));
    expect(reply).to.include({ from: ada.did, to: ben.did, amount: 2 });
    expect([await has(ada), await has(ben), keptIn(ada)]).to.deep.equal([93, 7, 0]);
    expect(statSync(`${ada.file}.outbox`).mode & 0o777).to.equal(0o600);
  });

  it('writes times and addresses as they are signed, and acts on the current version', async () => {
    const { address } = JSON.parse(readFileSync(ben.file, 'utf8')) as KeyFileMembers;
    const id = `esc-${ada.did.slice(-8)}`;
    const rules = ['--release', 'after=2030-01-01', '--release', 'manual', '--expires-at', '2031-01-01', '--auto-fund'];
    const made = await ask([
      'escrow',
      'create',
      '--beneficiary',
      address,
      '--amount',
      '9',
      '--escrow-id',
      id,
      ...rules,
    ]);
    expect(made.stderr).to.equal('');
    const released = json(await ask(['escrow', 'release', id, '--amount', '4', '--json']));
    expect(released).to.include({ amount: 4 });
    const shown = (await get(`${node.url}/api/v1/escrows/${id}`)).body;
    expect(shown).to.include({ beneficiary: ben.did, remaining: 5, expiresAt: Date.parse('2031-01-01') });
  });

  it('signs as the DID of the file, whatever SVC_NODE_DID says, and refuses a --did of another key', async () => {
    const { home } = (await get(`${node.url}/api/v1/node`)).body;
    expect((await ask(pay(1, '--home', home), ada, { SVC_NODE_DID: ben.did })).code).to.equal(0);
    const other = await ask(pay(1, '--did', ben.did));
    expect(other).to.include({
      code: 2,
      stderr: `svc-node: ${ada.file} is the key of ${ada.did}, and ${ben.did} is to sign.\n`,
    });
    const env = { ...secret, SVC_NODE_DID: ben.did, SVC_NODE_SIGNING_KEY: ada.file };
    const both = await svcNode([...pay(1), '--url', url], { env });
    expect(both, 'two variables that differ').to.include({ code: 2 });
    expect((await svcNode([...pay(1), '--url', url], { env: { ...env, SVC_NODE_DID: ada.did } })).code).to.equal(0);
    expect(await has(ben)).to.equal(2);
  });

  it('says what is wrong: passphrase, file, command, network, home, key', async () => {
    const testers = await holder('--network', 'testnet');
    await faucet(node, testers.did);
    const refusals: readonly (readonly [() => Promise<Ended>, number, string])[] = [
      [
        () => ask(pay(1), ada, { SVC_PASSPHRASE: 'incorrect horse battery' }),
        1,
        `the passphrase does not open the key file of ${ada.did}`,
      ],
      [() => ask(pay(1), ada, { SVC_PASSPHRASE: undefined }), 2, 'A passphrase is needed'],
      [() => ask(pay(1), { ...ada, file: join(scratch(), 'none') }), 1, 'there is no such file'],
      [() => ask(pay(1), { ...ada, file: join(data, 'node.json') }), 1, 'is no key file (bad member'],
      [() => ask(pay(1), { ...ada, file: data }), 1, 'is no key file (no regular file)'],
      [() => ask(['faucet']), 2, 'faucet needs no key of yours'],
      [() => ask(['identity', 'create']), 2, 'identity create needs no key of yours'],
      [() => ask(pay(1, '--idempotency-key', 'x')), 2, 'leave out --idempotency-key'],
      [() => ask(pay(1), testers), 1, 'this key is used for testnet, and the node is of devnet'],
      [() => ask(pay(1, '--home', ben.did)), 4, '(NOT_FOUND)'],
      [() => ask(pay(1_000)), 6, 'INSUFFICIENT_BALANCE'],
      [() => ask(pay(5, '--most', '4')), 5, 'CONFLICT'],
    ];
    for (const [asked, code, says] of refusals) {
      const end = await asked();
      expect(end, says).to.include({ code, stdout: '' });
      expect(end.stderr).to.include(says);
    }
    chmodSync(ada.file, 0o600);
    const keys = await svcNode([...pay(1), '--url', url, '--key-file', ada.file], {
      env: { ...secret, SVC_NODE_DID: ada.did },
    });
    expect(keys.stderr).to.include('--signing-key');
    expect(await has(ada)).to.equal(100);
  });

  it('sends no passphrase: where a node would need it, the command ends before', async () => {
    const sent: string[] = [];
    relay.loses = (path, body) => void sent.push(`${path} ${body}`);
    const env = { ...secret, SVC_NODE_SIGNING_KEY: ada.file };
    for (const words of [
      ['identity', 'create'],
      ['identity', 'create-key', ada.did, '--scope', 'write'],
    ]) {
      const end = await svcNode([...words, '--url', url], { env });
      expect(end, words.join(' ')).to.include({ code: 2, stdout: '' });
      expect(end.stderr).to.include('stays here');
    }
    const body = join(scratch(), 'body.json');
    writeFileSync(body, JSON.stringify({ to: ben.did, amount: 1, passphrase }));
    expect((await svcNode(['transfer', '--input', body, '--url', url], { env })).code).to.equal(0);
    expect(sent.length).to.equal(2);
    expect(sent.join()).not.to.include(passphrase);
  });

  it('has no second meaning for a day that the calendar does not have, and no writes of another key in its outbox', async () => {
    const february = await ask(pay(1, '--until', '2030-02-30'));
    expect(february).to.include({ code: 2, stdout: '' });
    relay.loses = (path) => (path.endsWith('/events') ? 'before' : undefined);
    await ask(pay(5));
    relay.loses = () => undefined;
    copyFileSync(`${ada.file}.outbox`, `${ben.file}.outbox`);
    await faucet(node, ben.did);
    const other = await ask(['transfer', '--to', ada.did, '--amount', '1'], ben);
    expect(other).to.include({ code: 1, stdout: '' });
    expect(other.stderr).to.include(`keeps writes of ${ada.did}`);
  });

  it('names an arbiter of the network in a contract only if it was told to accept them', async () => {
    const arbitrated = await startHere(scratch(), { SVC_ARBITER_DID: ben.did });
    const { did: provider } = await holder();
    const draft = join(scratch(), 'contract.json');
    writeFileSync(
      draft,
      JSON.stringify({ provider, terms: { title: 'A report' }, payment: { type: 'fixed', totalAmount: 5 } }),
    );
    const words = [
      'contract',
      'create',
      '--input',
      draft,
      '--signing-key',
      ada.file,
      '--url',
      arbitrated.url,
      '--json',
    ];
    const refused = await svcNode(words, { env: secret });
    expect(refused.stderr).to.include('payload.input.networkArbiter: nothing was signed');
    const made = await svcNode([...words, '--network-arbiter', ben.did], { env: secret });
    expect(made.stderr).to.equal('');
    const { contractId } = json<{ contractId: string }>(made);
    const rest = ['--url', arbitrated.url, '--signing-key', ada.file, '--json'];
    const { termsHash } = json<{ termsHash: string }>(
      await svcNode(['contract', 'get', contractId, ...rest], { env: secret }),
    );
    const signed = await svcNode(['contract', 'sign', contractId, '--terms-hash', termsHash, ...rest], { env: secret });
    expect(signed.stderr).to.equal('');
    await arbitrated.stop();
  });

  it('leaves nothing of an answered write in its outbox', async () => {
    await ask(pay(1, '--memo', 'quokka in the memo'));
    expect(readFileSync(`${ada.file}.outbox`).includes('quokka')).to.equal(false);
  });

  it('signs nothing that it was not asked for', async () => {
    const liar = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method = 'GET' } = request;
      const answer = await fetch(`${node.url}${request.url}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(method === 'GET' ? {} : { body }),
      });
      const text = (await answer.text()).replace('"amount":1', '"amount":90');
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
    });
    liar.listen(0, '127.0.0.1');
    await once(liar, 'listening');
    const lied = await svcNode(
      [...pay(1), '--signing-key', ada.file, '--url', `http://127.0.0.1:${(liar.address() as AddressInfo).port}`],
      { env: secret },
    );
    liar.closeAllConnections();
    liar.close();
    expect(lied).to.include({ code: 1, stdout: '' });
    expect(lied.stderr).to.include('payload.input.amount: nothing was signed');
    expect([await has(ada), keptIn(ada)]).to.deep.equal([100, 0]);
  });

  for (const [what, loss] of [
    ['request', 'before'],
    ['answer', 'after'],
  ] as const) {
    it(`keeps a write whose ${what} was lost; the same command again makes it once`, async () => {
      relay.loses = (path) => (path.endsWith('/events') ? loss : undefined);
      const lost = await ask(pay(5));
      expect(lost).to.include({ code: 7, stdout: '' });
      expect(lost.stderr).to.include(`${ada.file}.outbox keeps`);
      expect(keptIn(ada)).to.equal(1);
      relay.loses = () => undefined;
      const again = await ask(pay(5));
      expect(again.stdout).to.match(/^Sent 5 to /);
      expect(again.stderr).to.include('it was not made a second time');
      expect([await has(ben), keptIn(ada)]).to.deep.equal([5, 0]);
      await ask(pay(5));
      expect(await has(ben)).to.equal(10);
    });

    it(`sends a write whose ${what} was lost before another one`, async () => {
      relay.loses = (path) => (path.endsWith('/events') ? loss : undefined);
      await ask(pay(5));
      relay.loses = () => undefined;
      const next = await ask(pay(2));
      expect(next.stdout).to.match(/^Sent 2 to /);
      expect(next.stderr).to.match(
        /^The write of .*, transfer.sent [0-9a-f]{64}, had no answer: it is in the journal now/,
      );
      expect([await has(ben), keptIn(ada)]).to.deep.equal([7, 0]);
    });
  }

  it('drops a write that can no longer take effect, and makes the same command anew', async () => {
    const until = Date.now() + 5_000;
    relay.loses = (path) => (path.endsWith('/events') ? 'before' : undefined);
    await ask(pay(5, '--until', `${until}`));
    expect(keptIn(ada)).to.equal(1);
    relay.loses = () => undefined;
    // The node's clock is that of this process.
    while (Date.now() <= until) await new Promise((resolve) => setTimeout(resolve, until - Date.now() + 1));
    const again = await ask(pay(5));
    expect(again.stderr).to.include('it was refused now (');
    expect(again.stdout).to.match(/^Sent 5 to /);
    expect([await has(ben), keptIn(ada)]).to.deep.equal([5, 0]);
  });

  it('keeps what a proxy has refused, until no node would take it any more', async () => {
    relay.loses = (path) => (path.endsWith('/events') ? 'refused' : undefined);
    expect((await ask(pay(5))).stderr).to.include(`${ada.file}.outbox keeps`);
    expect((await ask(pay(2))).code).to.not.equal(0);
    expect(keptIn(ada)).to.equal(1);
    const database = new Database(`${ada.file}.outbox`);
    const { write } = database.prepare('SELECT write FROM writes').get() as { write: string };
    const { event, ...rest } = JSON.parse(write);
    const old = JSON.stringify({ ...rest, event: { ...event, until: Date.now() - 600_001 } });
    database.prepare('UPDATE writes SET write = ?').run(old);
    database.close();
    let first = true;
    relay.loses = (path) => {
      const isFirst = path.endsWith('/events') && first;
      first &&= !isFirst;
      return isFirst ? 'refused' : undefined;
    };
    const next = await ask(pay(2));
    expect(next.stderr).to.include('can take effect no more');
    expect(next.stdout).to.match(/^Sent 2 to /);
    expect([await has(ben), keptIn(ada)]).to.deep.equal([2, 0]);
  });

  it('keeps a write for another home until a command goes there', async () => {
    relay.loses = (path) => (path.endsWith('/events') ? 'before' : undefined);
    await ask(pay(5));
    const elsewhere = await startHere();
    await faucet(elsewhere, ada.did);
    const there = await svcNode([...pay(3), '--signing-key', ada.file, '--url', elsewhere.url], { env: secret });
    expect(there.stderr).to.include('is for the home ');
    expect(there.stdout).to.match(/^Sent 3 to /);
    relay.loses = () => undefined;
    expect((await ask(pay(5))).stderr).to.include('it was not made a second time');
    expect([await has(ben), keptIn(ada)]).to.deep.equal([5, 0]);
    await elsewhere.stop();
  });

  it('is killed while it waits for the answer, and has its write on disk', async () => {
    let sent: (value: unknown) => void = () => {};
    const arrived = new Promise((resolve) => {
      sent = resolve;
    });
    relay.loses = (path) => {
      if (!path.endsWith('/events')) return undefined;
      sent(true);
      return 'after';
    };
    const child = spawnCommand([...pay(5), '--url', url, '--signing-key', ada.file], { env: secret });
    const over = ended(child);
    await arrived;
    child.kill('SIGKILL');
    expect(await over).to.include({ signal: 'SIGKILL', stdout: '' });
    expect(keptIn(ada)).to.equal(1);
    relay.loses = () => undefined;
    expect((await ask(pay(5))).stdout).to.match(/^Sent 5 to /);
    expect([await has(ben), keptIn(ada)]).to.deep.equal([5, 0]);
  });

  it('waits for another process that signs with the same key: equal commands at once are each made', async () => {
    const all = await Promise.all(
      [1, 2, 3, 4].map(() => {
        const child = spawnCommand([...pay(1), '--url', url, '--signing-key', ada.file], { env: secret });
        child.stdin.end();
        return ended(child);
      }),
    );
    expect(all.map(({ code, stderr }) => [code, stderr])).to.deep.equal(all.map(() => [0, '']));
    expect([await has(ben), keptIn(ada)]).to.deep.equal([4, 0]);
  });

  it('gets its turn among processes that sign with the same key again and again', async () => {
    const outbox = join(scratch(), 'key.json.outbox');
    const opener = fileURLToPath(new URL('./support/open-outbox.js', import.meta.url));
    const all = Array.from({ length: 4 }, () => once(spawn(process.execPath, [opener, outbox]), 'exit'));
    expect((await Promise.all(all)).map(([code]) => code)).to.deep.equal([0, 0, 0, 0]);
  });

  it('reads as the DID of the file, and decrypts what is for it', async () => {
    expect(json(await ask(['wallet', 'get', '--json']))).to.include({ did: ada.did, balance: 100 });
    const words = {
      title: 'Answers',
      description: 'To all questions',
      category: 'research',
      access: { type: 'endpoint' },
    };
    const capability = { capabilityType: 'api', capability: { name: 'ask' }, quota: {} };
    const pricing = { usagePrice: { unit: 'call', pricePerUnit: 1 } };
    const offer = async (visibility: string) => {
      const listing = join(scratch(), 'listing.json');
      writeFileSync(listing, JSON.stringify({ ...words, ...capability, pricing, visibility }));
      return json<{ listingId: string }>(await ask(['capability', 'create', '--input', listing, '--json'])).listingId;
    };
    const hidden = await offer('private');
    expect((await ask(['capability', 'get', hidden])).code).to.equal(0);
    expect((await ask(['capability', 'get', hidden], ben)).code).to.equal(4);
    const listingId = await offer('public');
    await faucet(node, ben.did);
    const plan = join(scratch(), 'plan.json');
    const credentials = { token: 'quokka' };
    writeFileSync(plan, JSON.stringify({ plan: { budget: 5, endsAt: Date.now() + 86_400_000 }, credentials }));
    const leased = await ask(['lease', 'create', listingId, '--input', plan, '--json'], ben);
    expect(leased.stderr).to.equal('');
    const { leaseId } = json<{ leaseId: string }>(leased);
    expect(json(await ask(['lease', 'open', leaseId, '--json']))).to.deep.equal({ leaseId, credentials });
    expect((await ask(['lease', 'open', leaseId], ben)).code).to.equal(1);
  });

  it('leaves no trace of the key at the node: in no file, no log, no request', async () => {
    const sent: string[] = [];
    relay.loses = (path, body) => void sent.push(`${path} ${body}`);
    const content = { format: 'text/plain', data: 'quokka content of the listing' };
    const listing = join(scratch(), 'listing.json');
    writeFileSync(
      listing,
      JSON.stringify({
        ...{ title: 'Rain', description: 'Of a week', category: 'weather', infoType: 'dataset', content },
        ...{ pricing: { price: 5 }, accessMethod: { type: 'download' }, license: { type: 'CC-BY-4.0' } },
      }),
    );
    const made = await ask(['info', 'create', '--input', listing, '--json'], ada);
    expect(made.stderr).to.equal('');
    const { listingId } = json<{ listingId: string }>(made);
    await faucet(node, ben.did);
    const order = json<{ orderId: string }>(await ask(['info', 'purchase', listingId, '--json', '--most', '5'], ben));
    const delivered = await ask(['info', 'deliver', listingId, '--order-id', order.orderId, '--json']);
    expect(delivered.stderr).to.equal('');
    expect(json(await ask(['order', 'open', order.orderId, '--json'], ben))).to.include({ content: content.data });
    expect((await ask(['order', 'open', order.orderId])).stderr).to.include('it was encrypted for another key');
    await ask(pay(1, '--memo', 'found in every place'));
    const log = (await node.stop()).stderr;
    const stored = JSON.parse(readFileSync(ada.file, 'utf8'));
    const { ciphertext, kdf } = stored;
    const seed = openSeed(stored, await argon2Kdf.derive(passphrase, Buffer.from(kdf.salt, 'hex'), kdf))!;
    const files = [...filesBelow(data)].map(([, bytes]) => bytes);
    const written = [...files, Buffer.from(log), Buffer.from(sent.join('\n'))];
    const finds = (bytes: Buffer) =>
      [
        bytes,
        ...(['hex', 'base64', 'base64url'] as const).map((form) =>
          Buffer.from(bytes.toString(form).replace(/=+$/, '')),
        ),
      ].some((spelling) => written.some((each) => each.includes(spelling)));
    expect(finds(Buffer.from('found in every place')), 'the search finds what is there').to.equal(true);
    for (const each of [
      Buffer.from(seed),
      Buffer.from(ciphertext, 'hex'),
      Buffer.from(content.data),
      Buffer.from(passphrase),
    ])
      expect(finds(each)).to.equal(false);
    node = await startHere(data);
  });
});
