/** `svc-node peers …` as operators type it, while nodes run, and over the API of a node. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { controlPath } from '../../src/node/control/socket-path.js';
import type { PeersReport } from '../../src/peers/audit/peers-audit.js';
import { ServingHome } from '../peers/feed/homes.js';
import { freePort } from '../support/free-port.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { Bench } from '../world/bench.js';
import { signer } from '../world/people.js';
import { json, svcNode } from './support/command.js';
import { startNode, type TestNode } from './support/node.js';

const listening = { SVC_LISTEN: '/ip4/127.0.0.1/tcp/0', SVC_PEERS_ALONE: '1' };
const columns = ['PEER', 'STATUS', 'CONNECTED', 'ADOPTED', 'BEHIND', 'LAG MS', 'WITHHELD', 'LIMIT'];
const stranger = signer('stranger').did;
const payee = `0x${'22'.repeat(20)}`;

interface Listed {
  readonly listens: readonly string[];
  readonly peers: readonly { readonly did: string; readonly status: string; readonly adopted: number }[];
  readonly homes: readonly string[];
}

describe('svc-node peers', function () {
  this.timeout(90_000);
  let [alba, brig] = [] as unknown as [TestNode, TestNode];
  const serving: ServingHome[] = [];

  before(async () => {
    [alba, brig] = [
      await startNode(scratch(), [], { env: listening }),
      await startNode(scratch(), [], { env: listening }),
    ];
  });
  after(async () => {
    for (const home of serving) await home.close();
    await tidy();
  });

  const at = ({ dataDir }: { readonly dataDir: string }, ...words: readonly string[]) =>
    svcNode([...words, '--data', dataDir]);
  const overApi = ({ url }: TestNode, ...words: readonly string[]) => svcNode(['peers', ...words, '--url', url]);
  const listed = async (node: TestNode): Promise<Listed> => json(await at(node, 'peers', 'list', '--json'));
  const addressOf = async (node: TestNode): Promise<string> => (await listed(node)).listens[0]!;
  const statusAt = (node: TestNode, did: string, status: string) =>
    until(`${did} is ${status}`, () => listed(node), {
      is: ({ peers }) => peers.find((peer) => peer.did === did)?.status === status,
    });
  async function served(bench: Bench): Promise<ServingHome> {
    const home = await ServingHome.open(bench);
    serving.push(home);
    return home;
  }

  it('says in one sentence what is wrong with the words', async () => {
    const own = await addressOf(alba);
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['add'], 2, "missing required argument 'address'"],
      [['add', 'node.example:9529'], 2, 'must be an address such as /ip4/192.0.2.1/tcp/9529/p2p/12D3KooW'],
      [['add', own.replace(/\/p2p.*/, '')], 2, 'must end in /p2p/ and the peer id of the node'],
      [['add', own.replace('/tcp/', '/udp/')], 2, 'has /udp, which is not supported: peers speak over TCP'],
      [['add', own.slice(0, -3)], 2, 'has no peer id of an Ed25519 key'],
      [['add', own], 1, 'the address is that of this node'],
      [['remove', 'ben'], 2, "'ben' is neither a DID"],
      [['remove', stranger], 1, `${stranger} is not a peer of this node`],
      [['forget', stranger], 1, `there is no copy of ${stranger}`],
      [['accept', stranger], 2, "missing required argument 'hash'"],
      [['accept', stranger, '5f1c'], 2, "'5f1c' is not a chain hash, which has 64 hexadecimal digits"],
      [['accept', stranger, 'a'.repeat(64)], 1, `nothing is proven against ${stranger}`],
      [['evidence', stranger], 1, `nothing is proven against ${stranger}`],
      [['limit', stranger, '--at-risk', '5'], 1, `${stranger} is not a peer of this node`],
      [['limit', stranger, '--at-risk', 'all'], 2, "'all' is not a number of Tokens, and not 'none'"],
      [['limit', stranger, '--answers', '0'], 2, "'0' is not a number of requests"],
      [['withdraw', stranger, '5'], 2, "required option '--to <address>' not specified"],
      [['withdraw', stranger, 'all', '--to', payee], 2, "'all' is not a number of Tokens"],
      [['withdraw', stranger, '5', '--to', payee], 1, `${stranger} is not a followed home`],
      [['give-up', 'rem-1'], 2, 'this home loses its Tokens: say --i-accept-the-loss'],
      [['give-up', 'rem-1', '--i-accept-the-loss'], 1, 'there is no remote request rem-1'],
      [['list', '--output', 'full'], 2, 'Allowed choices are table, json, yaml'],
      [['list', 'all'], 2, "too many arguments for 'list'"],
      [['frobnicate'], 2, "unknown command 'frobnicate'"],
    ];
    for (const [words, code, says] of cases) {
      const end = await at(alba, 'peers', ...words);
      expect([end.code, end.stdout], words.join(' ')).to.deep.equal([code, '']);
      expect(end.stderr, words.join(' '))
        .to.include(says)
        .and.match(/^svc-node: /);
    }
    const nowhere = scratch();
    const end = await svcNode(['peers', 'list', '--data', nowhere]);
    expect(end).to.include({ code: 1, stderr: `svc-node: no node runs on ${nowhere}: start it first\n` });
  });

  it('says how to repeat a withdrawal whose reply was lost', async () => {
    const dir = scratch();
    const node = createServer((socket) => socket.once('data', () => socket.end()));
    await new Promise<void>((resolve) => node.listen(controlPath(dir), resolve));
    for (const [words, key] of [
      [[], 'key-[0-9A-Z]{26}'],
      [['--idempotency-key', 'may'], 'may'],
    ] as const) {
      const end = await svcNode(['peers', 'withdraw', stranger, '5', '--to', payee, ...words, '--data', dir]);
      expect(end).to.include({ code: 1, stdout: '' });
      expect(end.stderr).to.match(
        new RegExp(
          `may have been sent; repeat the command with --idempotency-key ${key} to find out, without paying twice`,
        ),
      );
    }
    await new Promise((resolve) => node.close(resolve));
  });

  it('shows that a node without peers speaks to none, and what to set', async () => {
    const lone = await startNode();
    const list = await at(lone, 'peers', 'list');
    expect(list).to.include({ code: 0, stdout: `${columns.join('\t')}\n` });
    expect(list.stderr).to.include('none: set SVC_LISTEN or SVC_PEERS');
    const add = await at(lone, 'peers', 'add', await addressOf(alba));
    expect(add).to.include({ code: 1 });
    expect(add.stderr).to.include('this node does not connect to peers: set SVC_LISTEN or SVC_PEERS');
    expect((await at(lone, 'status')).stdout).to.match(/^Peers +0$/m);
    await lone.stop();
  });

  it('lists peers in a pipe between tabs, as JSON and as YAML', async () => {
    expect(await at(alba, 'peers', 'add', await addressOf(brig))).to.include({
      ...{ code: 0, stdout: '', stderr: `${brig.did} is a peer.\n` },
    });
    const added = await at(brig, 'peers', 'add', await addressOf(alba), '--json');
    expect(json(added)).to.deep.equal({ did: alba.did, addresses: [await addressOf(alba)] });
    await statusAt(alba, brig.did, 'current');
    await statusAt(brig, alba.did, 'current');
    const piped = await at(alba, 'peers', 'list');
    const [headings, ...rows] = piped.stdout.trimEnd().split('\n');
    expect(headings!.split('\t')).to.deep.equal(columns);
    expect(rows.map((row) => row.split('\t'))).to.have.length(1);
    expect(rows[0]).to.match(new RegExp(`^${brig.did}\tcurrent\t(both|inbound|outbound)\t\\d+\t0\t\\d+\t0\t–$`));
    expect(piped.stderr).to.equal(`Address  ${await addressOf(alba)}\n`);
    const yaml = await at(alba, 'peers', 'list', '--output', 'yaml');
    expect(yaml.stdout).to.match(new RegExp(`^peers:\n  - peerId: .*\n    did: ${brig.did}$`, 'm'));
    for (const words of [['--output', 'json'], ['--json']]) {
      const { peers, homes } = json<Listed>(await at(alba, 'peers', 'list', ...words));
      expect([peers.map(({ did }) => did), homes]).to.deep.equal([[brig.did], [brig.did]]);
    }
  });

  it('are audited together with the own journal, while both nodes run', async () => {
    const end = await at(alba, 'audit', '--peers');
    expect(end).to.include({ code: 0, stderr: '' });
    expect(end.stdout)
      .to.match(/^ +entries +1$/m)
      .and.include('OK: so are the copies of other homes');
    expect(end.stdout).to.match(new RegExp(`^HOME\tENTRIES\t.*\n${brig.did}\t1\t0\t1\t1\t0$`, 'm'));
    const { ok, peers, trade, uncompared } = json<PeersReport>(await at(alba, 'audit', '--peers', '--json'));
    expect({ ok, trade, uncompared }).to.deep.equal({ ok: true, trade: [], uncompared: [] });
    expect(peers).to.have.length(1);
    expect(peers[0]).to.include({ home: brig.did, ok: true, entries: 1, withheld: 0 });
  });

  it('sets the limits of trade with a peer, and lists the accounts', async () => {
    const limited = await at(alba, 'peers', 'limit', brig.did, '--at-risk', '500', '--answers', '20');
    const says = `${brig.did}: at most 500 Tokens at risk, at most 20 of its requests answered in a second.\n`;
    expect(limited).to.include({ code: 0, stdout: '', stderr: says });
    const now = json(await at(alba, 'peers', 'limit', brig.did, '--at-risk', 'none', '--json'));
    expect(now).to.deep.equal({ did: brig.did, mostAtRisk: null, answersPerSecond: 20 });
    const [headings, row] = (await at(alba, 'peers', 'accounts')).stdout.split('\n');
    expect(headings!.split('\t')).to.deep.equal([
      'PEER',
      'HELD',
      'OWED',
      'SENT',
      'RECEIVED',
      'GIVEN UP',
      'AT RISK',
      'LIMIT',
    ]);
    expect(row!.split('\t')).to.deep.equal([brig.did, '0', '0', '0', '0', '0', '0', '–']);
    expect((await overApi(alba, 'accounts')).stdout).to.include(brig.did);
  });

  it('shows the same through the API', async () => {
    const list = await overApi(alba, 'list');
    const [headings, row] = list.stdout.split('\n');
    expect(headings!.split('\t')).to.deep.equal(columns);
    expect(row!.split('\t')).to.include.members([brig.did, 'current']);
    expect((await overApi(alba, 'list', '--output', 'yaml')).stdout).to.include(`did: ${brig.did}`);
    expect((await at(alba, 'status')).stdout).to.match(/^Peers +1$/m);
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['list', '--limit', '0'], 2, 'limit: must be an integer from 1 to 100'],
      [['evidence'], 2, "missing required argument 'did'"],
      [['evidence', 'ben'], 2, 'is not a valid DID'],
      [['evidence', brig.did], 4, `nothing is kept against ${brig.did}`],
      [['frobnicate'], 2, "unknown command 'frobnicate'"],
    ];
    for (const [words, code, says] of cases) {
      const end = await overApi(alba, ...words);
      expect([end.code, end.stdout], words.join(' ')).to.deep.equal([code, '']);
      expect(end.stderr, words.join(' ')).to.include(says);
    }
  });

  it('names the entry of a home that lies, and follows it again when it is added again', async () => {
    const liar = await served(await Bench.open({ node: 'liar' }, { ada: 10, ben: 20 }));
    const { did } = liar.signer;
    await liar.lies(3);
    const address = formatMultiaddr(liar.address);
    await at(alba, 'peers', 'add', address);
    await statusAt(alba, did, 'stopped');
    const what = 'payloadHash is not the hash of the payload';
    expect((await at(alba, 'peers', 'list')).stderr).to.include(`${did}: entry 3: ${what}`);
    const evidence = json(await at(alba, 'peers', 'evidence', did));
    expect(evidence).to.include({ did, cause: 'violation', seq: 3, what });
    expect(evidence).to.have.property('line').which.includes('"seq":3');
    // Readers of the API are not shown the line, which may hold a private payload.
    expect(json(await overApi(alba, 'evidence', did, '--json')))
      .to.include({ did, cause: 'violation', seq: 3 })
      .and.not.have.property('line');
    const file = join(scratch(), 'evidence.json');
    writeFileSync(file, JSON.stringify(evidence));
    const verified = await svcNode(['verify-equivocation', file]);
    expect(verified.code).to.equal(1);
    expect(verified.stderr).to.include('is not a proof of equivocation');
    await liar.listen();
    await at(alba, 'peers', 'add', address);
    await statusAt(alba, did, 'current');
    expect(await at(alba, 'peers', 'remove', did)).to.include({ code: 0, stderr: `${did} is no longer a peer.\n` });
    expect((await at(alba, 'peers', 'list')).stderr).to.include(`Copies of homes that are not peers: ${did}`);
    expect(await at(alba, 'peers', 'forget', did)).to.include({ code: 0, stderr: `${did} is forgotten.\n` });
    expect((await listed(alba)).homes).to.deep.equal([brig.did]);
  });

  it('proves two journals of a home, and follows the one that is accepted', async () => {
    const one = await served(await Bench.open({ node: 'forked' }, { ada: 10 }));
    const other = await served(await Bench.open({ node: 'forked' }, { ada: 20 }));
    const { did } = one.signer;
    await at(alba, 'peers', 'add', formatMultiaddr(one.address));
    await at(brig, 'peers', 'add', formatMultiaddr(other.address));
    for (const node of [alba, brig]) await statusAt(node, did, 'forked');
    const file = join(scratch(), 'proof.json');
    for (const evidence of [
      await at(brig, 'peers', 'evidence', did),
      await overApi(brig, 'evidence', did, '--output', 'json'),
    ]) {
      expect(json(evidence)).to.include({ did, cause: 'equivocation' });
      writeFileSync(file, evidence.stdout);
      const verified = await svcNode(['verify-equivocation', file]);
      expect(verified).to.include({ code: 0, stderr: '' });
      expect(verified.stdout).to.include(did).and.include('OK');
    }
    const neither = await at(brig, 'peers', 'accept', did, 'b'.repeat(64));
    expect(neither.code).to.equal(1);
    expect(neither.stderr).to.match(
      /^svc-node: the two journals have [0-9a-f]{64} and [0-9a-f]{64} at entry \d+: name one/,
    );
    await other.close();
    const { proof } = json<{ proof: { first: { seq: number } } }>(await at(brig, 'peers', 'evidence', did));
    const [entry] = await one.bench.store.entries({ after: proof.first.seq - 1, limit: 1 });
    const accepted = await at(brig, 'peers', 'accept', did, entry!.chainHash.toUpperCase());
    expect(accepted).to.include({ code: 0, stderr: `${did} is followed again.\n` });
    await at(brig, 'peers', 'add', formatMultiaddr(one.address));
    const { peers } = await statusAt(brig, did, 'current');
    expect(peers.find((peer) => peer.did === did)!.adopted).to.equal((await one.bench.store.head()).seq);
    expect(json(await at(brig, 'peers', 'evidence', did))).to.have.nested.property(
      'accepted.chainHash',
      entry!.chainHash,
    );
  });

  it('has a write wait for SVC_PEER_COPIES, and accepts the same one once a peer has it', async () => {
    const env = { ...listening, SVC_PEER_COPIES: '1' };
    const node = await startNode(scratch(), [], { env });
    // Over HTTP, because the command line asks again for a minute.
    const alone = await fetch(`${node.url}/api/v1/faucet`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
      body: JSON.stringify({ did: node.did }),
    });
    expect(alone.status).to.equal(503);
    expect(await alone.json()).to.include({ code: 'SERVICE_UNAVAILABLE', committed: true });
    await at(node, 'peers', 'add', await addressOf(brig));
    await at(brig, 'peers', 'add', await addressOf(node));
    await statusAt(brig, node.did, 'current');
    const again = await at(node, 'faucet', '--did', node.did, '--idempotency-key', 'once', '--json');
    expect(again.code, again.stderr).to.equal(0);
    await at(brig, 'peers', 'remove', node.did);
    await node.stop();
  });

  it('moves an identity to a peer, with its key, and says where it lives', async () => {
    const secret = join(scratch(), 'passphrase');
    writeFileSync(secret, 'correct horse battery staple\n');
    const { did } = json<{ did: string }>(await at(alba, 'identity', 'create', '--passphrase-file', secret, '--json'));
    const key = join(scratch(), 'key.json');
    expect(await at(alba, 'identity', 'export', did, '--out', key)).to.include({ code: 0 });
    expect(await at(brig, 'identity', 'import', key, '--passphrase-file', secret)).to.include({ code: 0 });
    for (const [one, other] of [
      [alba, brig],
      [brig, alba],
    ] as const) {
      expect(await at(one, 'peers', 'add', await addressOf(other))).to.include({ code: 0 });
    }
    // Each answers the other once both have added it.
    await statusAt(alba, brig.did, 'current');
    await statusAt(brig, alba.did, 'current');
    const env = { SVC_NODE_DID: did, SVC_PASSPHRASE_FILE: secret };
    const move = (node: TestNode, to: string) =>
      svcNode(['identity', 'move', did, '--to', to, '--data', node.dataDir], { env });
    const moved = await move(alba, brig.did);
    expect(moved.stdout, moved.stderr).to.match(new RegExp(`^${did} lives at ${brig.did} now\\. Entry \\d+\\.\n$`));
    const again = await move(alba, brig.did);
    expect(again.code).to.not.equal(0);
    expect(again.stderr).to.include(`${did} has left this home, and lives at ${brig.did}: act there`);
    const seen = () => at(brig, 'identity', 'get', did, '--json');
    const { stdout } = await until('the new home knows it', seen, {
      is: ({ stdout: text }) => text.includes('"epoch"'),
    });
    expect(JSON.parse(stdout).residence).to.deep.equal({ home: brig.did, epoch: 1 });
    expect(await move(brig, 'own')).to.include({ code: 5 });
  });

  it('starts after SVC_PEERS_ALONE where no peer answers, and says so', async () => {
    const silent = `/ip4/127.0.0.1/tcp/${await freePort()}${(await addressOf(alba)).replace(/.*(?=\/p2p)/, '')}`;
    for (const [alone, least, most] of [
      ['0', 0, 2_000],
      ['2', 2_000, 60_000],
    ] as const) {
      const env = { ...listening, SVC_PEERS: silent, SVC_PEERS_ALONE: alone };
      const node = await startNode(scratch(), [], { env });
      const list = await at(node, 'peers', 'list');
      expect(list.stdout).to.include(`${alba.did}\tunreachable\tnone\t0\t0\t–\t0`);
      const { stderr } = await node.stop();
      const waited = Number(/"waitedMs":(\d+)/.exec(stderr)?.[1]);
      expect([alone, waited >= least, waited < most, stderr]).to.deep.equal([alone, true, true, stderr]);
    }
  });

  it('refuses a start with wrong variables by their name', async () => {
    const taken = (await addressOf(alba)).replace(/\/p2p.*/, '');
    const cases: readonly (readonly [NodeJS.ProcessEnv, number, readonly string[]])[] = [
      [
        { SVC_PEERS: taken, SVC_PEERS_ALONE: '10 s', SVC_PEER_COPIES: '101', SVC_LISTEN: '127.0.0.1:9529' },
        2,
        [
          'SVC_LISTEN has the element .127.0.0.1:9529., which must be an address such as .*',
          'SVC_PEERS has the element .*, which must end in /p2p/ and the peer id of the node.',
          'SVC_PEERS_ALONE must be a whole number from 0 to 86400, .*',
          'SVC_PEER_COPIES must be a whole number from 0 to 100, .*',
        ],
      ],
      [{ SVC_LISTEN: taken }, 1, ['SVC_LISTEN: .*']],
    ];
    for (const [env, code, says] of cases) {
      const failed = await startNode(scratch(), [], { env }).then(
        () => expect.fail(`it starts with ${JSON.stringify(env)}`),
        (error: Error) => JSON.parse(error.message) as { code: number; stderr: string },
      );
      expect(failed.code, failed.stderr).to.equal(code);
      const lines = failed.stderr.trimEnd().split('\n');
      expect(lines, failed.stderr).to.have.length(says.length);
      for (const [index, line] of lines.entries()) expect(line).to.match(new RegExp(`${says[index]}$`));
    }
  });
});
