/** `svc-node peers …` as operators type it, while nodes run, and over the API of a node. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { ServingHome } from '../peers/feed/homes.js';
import { freePort } from '../support/free-port.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { Bench } from '../world/bench.js';
import { signer } from '../world/people.js';
import { json, svcNode } from './support/command.js';
import { runHere } from './support/here.js';
import { startHere, type TestNode } from './support/node.js';

const listening = { SVC_LISTEN: '/ip4/127.0.0.1/tcp/0', SVC_PEERS_ALONE: '1' };
const columns = ['PEER', 'STATUS', 'CONNECTED', 'FOLLOWED', 'BEHIND', 'LAG MS', 'MIRRORED', 'KEPT', 'LIMIT'];
const notYet =
  'Nothing was read from it yet: its operator must add this node too. svc-node peers list shows how it stands.\n';
const stranger = signer('stranger').did;

interface Listed {
  readonly listens: readonly string[];
  readonly peers: readonly {
    readonly did: string;
    readonly status: string;
    readonly followed: number;
    readonly mirrored?: number;
    readonly kept?: number;
  }[];
}

describe('svc-node peers', () => {
  let [alba, brig] = [] as unknown as [TestNode, TestNode];
  const serving: ServingHome[] = [];

  before(async () => {
    [alba, brig] = [await startHere(scratch(), listening), await startHere(scratch(), listening)];
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
  async function served(bench: Bench, network?: string): Promise<ServingHome> {
    const home = await ServingHome.open(bench, network);
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
      [['mirror', stranger], 1, `${stranger} is not a peer of this node`],
      [['keep', stranger], 1, `${stranger} is not a peer of this node`],
      [['forget', stranger], 1, `nothing is known of ${stranger}`],
      [['accept', stranger], 2, "missing required argument 'hash'"],
      [['accept', stranger, '5f1c'], 2, "'5f1c' is not a chain hash, which has 64 hexadecimal digits"],
      [['accept', stranger, 'a'.repeat(64)], 1, `nothing is proven against ${stranger}`],
      [['evidence', stranger], 1, `nothing is proven against ${stranger}`],
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

  it('shows that a node without peers speaks to none, and what to set', async () => {
    const lone = await startHere();
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
      ...{ code: 0, stdout: '', stderr: `${brig.did} is a peer.\n${notYet}` },
    });
    const added = await at(brig, 'peers', 'add', await addressOf(alba), '--json');
    expect(json(added)).to.deep.equal({ did: alba.did, addresses: [await addressOf(alba)] });
    await statusAt(alba, brig.did, 'current');
    await statusAt(brig, alba.did, 'current');
    const piped = await at(alba, 'peers', 'list');
    const [headings, ...rows] = piped.stdout.trimEnd().split('\n');
    expect(headings!.split('\t')).to.deep.equal(columns);
    expect(rows.map((row) => row.split('\t'))).to.have.length(1);
    expect(rows[0]).to.match(new RegExp(`^${brig.did}\tcurrent\t(both|inbound|outbound)\t\\d+\t0\t\\d+\t–\t–\t0$`));
    expect(piped.stderr).to.equal(`Address  ${await addressOf(alba)}\n`);
    const yaml = await at(alba, 'peers', 'list', '--output', 'yaml');
    expect(yaml.stdout).to.match(new RegExp(`^peers:\n  - peerId: .*\n    did: ${brig.did}$`, 'm'));
    for (const words of [['--output', 'json'], ['--json']]) {
      const { peers } = json<Listed>(await at(alba, 'peers', 'list', ...words));
      expect(peers.map(({ did }) => did)).to.deep.equal([brig.did]);
    }
  });

  it('shows the same through the API', async () => {
    const list = await overApi(alba, 'list');
    const [headings, row] = list.stdout.split('\n');
    // Without mirrors there is nothing to show of them.
    expect(headings!.split('\t')).to.deep.equal(columns.slice(0, -3));
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

  it('makes a peer a mirror whose operator keeps the journal, shows how far it has it, and ends that', async () => {
    const peerOf = async (node: TestNode, { did }: TestNode) =>
      (await listed(node)).peers.find((peer) => peer.did === did)!;
    expect(await at(alba, 'peers', 'mirror', brig.did)).to.include({ code: 0, stderr: `${brig.did} is a mirror.\n` });
    const kept = await at(brig, 'peers', 'keep', alba.did);
    expect(kept).to.include({ code: 0, stderr: `${alba.did} may have its journal kept here.\n` });
    await until('the mirror has the journal', () => peerOf(alba, brig), { is: ({ mirrored = 0 }) => mirrored > 0 });
    expect((await peerOf(brig, alba)).kept).to.be.above(4096);
    expect((await at(alba, 'peers', 'list')).stdout).to.match(/\t[1-9]\d*\t–\t0\n$/);
    const end = await at(alba, 'peers', 'mirror', '--remove', brig.did);
    expect(end).to.include({ code: 0, stderr: `${brig.did} is no longer a mirror.\n` });
    expect((await peerOf(alba, brig)).mirrored).to.equal(undefined);
    const deleted = await at(brig, 'peers', 'keep', '--remove', alba.did);
    expect(deleted).to.include({ code: 0, stderr: `${alba.did} has nothing here any more.\n` });
    for (const [node, words, says] of [
      [alba, ['mirror', '--remove', brig.did], `${brig.did} is not a mirror of this node`],
      [brig, ['keep', '--remove', alba.did], `the node does not keep the journal of ${alba.did}`],
    ] as const) {
      const again = await at(node, 'peers', ...words);
      expect([again.code, again.stderr]).to.deep.equal([1, `svc-node: ${says}\n`]);
    }
  });

  it('names the line of a home that lies, and follows it again when it is added again', async () => {
    const liar = await served(await Bench.open({ node: 'liar' }, { ada: 10, ben: 20 }));
    const { did } = liar.signer;
    await liar.lies(3);
    const address = formatMultiaddr(liar.address);
    await at(alba, 'peers', 'add', address);
    await statusAt(alba, did, 'stopped');
    const what = 'the checkpoint after it is of another journal';
    expect((await at(alba, 'peers', 'list')).stderr).to.include(`: ${what}`);
    const evidence = json(await at(alba, 'peers', 'evidence', did));
    expect(evidence).to.include({ did, cause: 'bad-line', what });
    expect(evidence).to.have.property('line').which.includes('"checkpoint"');
    expect(json(await overApi(alba, 'evidence', did, '--json'))).to.deep.equal(evidence);
    const file = join(scratch(), 'evidence.json');
    writeFileSync(file, JSON.stringify(evidence));
    const verified = await svcNode(['verify-equivocation', file]);
    expect(verified.code).to.equal(1);
    expect(verified.stderr).to.include('is not a proof of equivocation');
    await liar.listen();
    await at(alba, 'peers', 'add', address);
    await statusAt(alba, did, 'current');
    expect(await at(alba, 'peers', 'remove', did)).to.include({ code: 0, stderr: `${did} is no longer a peer.\n` });
    expect(await at(alba, 'peers', 'forget', did)).to.include({ code: 0, stderr: `${did} is forgotten.\n` });
    expect((await listed(alba)).peers.map((peer) => peer.did)).to.deep.equal([brig.did]);
  });

  it('says at once that the new peer is of another network', async () => {
    const other = await served(await Bench.open({ node: 'elsewhere' }, { ada: 10 }), 'testnet');
    const { did } = other.signer;
    const added = await at(alba, 'peers', 'add', formatMultiaddr(other.address));
    const what = 'the checkpoint after it is of the network testnet, not devnet';
    expect(added).to.include({ code: 0, stderr: `${did} is a peer.\n${did} is not followed: entry 0: ${what}\n` });
    await at(alba, 'peers', 'remove', did);
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
    expect(peers.find((peer) => peer.did === did)!.followed).to.equal((await one.bench.store.head()).seq);
    expect(json(await at(brig, 'peers', 'evidence', did))).to.have.nested.property(
      'accepted.chainHash',
      entry!.chainHash,
    );
  });

  it('starts after SVC_PEERS_ALONE where no peer answers, and says so', async () => {
    const silent = `/ip4/127.0.0.1/tcp/${await freePort()}${(await addressOf(alba)).replace(/.*(?=\/p2p)/, '')}`;
    for (const [alone, least, most] of [
      ['0', 0, 2_000],
      ['2', 2_000, 60_000],
    ] as const) {
      const env = { ...listening, SVC_PEERS: silent, SVC_PEERS_ALONE: alone };
      const node = await startHere(scratch(), env);
      const list = await at(node, 'peers', 'list');
      expect(list.stdout).to.include(`${alba.did}\tunreachable\tnone\t0\t0\t–`);
      expect(list.stderr).to.include(
        `${alba.did}: this node cannot reach it, or waits for the other side to add this node`,
      );
      const { stderr } = await node.stop();
      const waited = Number(/"waitedMs":(\d+)/.exec(stderr)?.[1]);
      expect([alone, waited >= least, waited < most, stderr]).to.deep.equal([alone, true, true, stderr]);
    }
  });

  it('refuses a start with wrong variables by their name', async () => {
    const taken = (await addressOf(alba)).replace(/\/p2p.*/, '');
    const cases: readonly (readonly [NodeJS.ProcessEnv, number, readonly string[]])[] = [
      [
        { SVC_PEERS: taken, SVC_PEERS_ALONE: '10 s', SVC_LISTEN: '127.0.0.1:9529' },
        2,
        [
          'SVC_LISTEN has the element .127.0.0.1:9529., which must be an address such as .*',
          'SVC_PEERS has the element .*, which must end in /p2p/ and the peer id of the node.',
          'SVC_PEERS_ALONE must be a whole number from 0 to 86400, .*',
        ],
      ],
      [{ SVC_LISTEN: taken }, 1, ['SVC_LISTEN: .*']],
    ];
    for (const [env, code, says] of cases) {
      const failed = await runHere(['start', '--port', '0', '--data', scratch()], { SVC_CHAIN: 'none', ...env });
      expect(failed.code, failed.stderr).to.equal(code);
      const lines = failed.stderr.trimEnd().split('\n');
      expect(lines, failed.stderr).to.have.length(says.length);
      for (const [index, line] of lines.entries()) expect(line).to.match(new RegExp(`${says[index]}$`));
    }
  });
});
