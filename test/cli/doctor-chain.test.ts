/** What `doctor` finds when journal and chain disagree, with contracts on another party's chain. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Operator } from '../../src/chain/settlement/transaction.js';
import type { DoctorFinding } from '../../src/cli/doctor/finding.js';
import { Anvil } from '../chain/support/anvil.js';
import { anvilBinary } from '../chain/support/anvil-binary.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { json, svcNode } from './support/command.js';
import { post, startNode } from './support/node.js';

const [key, stranger] = ['11', '22'].map((byte) => byte.repeat(32)) as [string, string];

(anvilBinary() === undefined ? describe.skip : describe)('svc-node doctor, with a chain', () => {
  let anvil: Anvil;
  let env: { [name: string]: string };
  let dir: string;
  let older: string;

  const keyFile = (hex: string): string => {
    const file = join(scratch(), 'operator.key');
    writeFileSync(file, `0x${hex}\n`, { mode: 0o600 });
    return file;
  };

  /** The findings about the chain that are not ok. */
  async function ofChain(dataDir: string, change: { [name: string]: string } = {}): Promise<string[]> {
    const end = await svcNode(['doctor', '--json', '--data', dataDir], { env: { ...env, ...change } });
    const { findings } = json<{ findings: readonly DoctorFinding[] }>(end);
    const chain = findings.filter(({ about }) => about === 'chain');
    const troubles = chain.filter(({ state }) => state !== 'ok').map(({ says }) => says);
    expect(end.code).to.equal(findings.some(({ state }) => state === 'problem') ? 1 : 0);
    return troubles.length > 0 ? troubles : [chain.at(-1)?.says ?? ''];
  }

  async function deployed(): Promise<string> {
    const file = join(scratch(), 'contracts.json');
    writeFileSync(file, (await svcNode(['chain', 'deploy', '--network', 'testnet'], { env })).stdout);
    return file;
  }

  before(async () => {
    anvil = await Anvil.start(77_003);
    await anvil.give(new Operator(Buffer.from(key, 'hex')).address, 10n ** 18n);
    env = {
      SVC_NETWORK: 'testnet',
      SVC_LOOPBACK: 'on',
      SVC_PORT: '0',
      SVC_CHAIN: 'auto',
      SVC_RPC_URL: anvil.url,
      SVC_OPERATOR_KEY_FILE: keyFile(key),
      SVC_PASSPHRASE: 'of the node itself',
    };
    env.SVC_CONTRACTS = await deployed();
    dir = scratch();
    older = join(scratch(), 'older');
    for (const claim of [1, 2]) {
      const node = await startNode(dir, [], { env });
      if (claim === 2) {
        const made = await post(`${node.url}/api/v1/identities`, { passphrase: 'of somebody else' });
        expect((await post(`${node.url}/api/v1/faucet`, { did: made.body.did })).body.status).to.equal('confirmed');
      } else {
        expect((await post(`${node.url}/api/v1/faucet`, { did: node.did })).body.status).to.equal('confirmed');
      }
      await node.stop();
      if (claim === 1) cpSync(dir, older, { recursive: true });
    }
  });
  after(async () => {
    await anvil?.stop();
    await tidy();
  });

  it('finds the chain where the journal says', async () => {
    expect(await ofChain(dir)).to.deep.equal(['it has 2 operations of this journal, with the same head; 0 wait']);
  });

  it('asks a node that runs for what it sees', async () => {
    const node = await startNode(dir, [], { env });
    try {
      const isConnected = (found: readonly string[]) => !found.join().includes('not there yet');
      const found = await until('the node has an answer of its chain', () => ofChain(dir), { is: isConnected });
      expect(found).to.deep.equal(['it has 2 operations of this journal, with the same head; 0 wait']);
    } finally {
      await node.stop();
    }
  });

  it('names a journal that was restored from an older backup', async () => {
    expect((await ofChain(older)).join('\n')).to.match(
      /the chain has 2 operations and the journal 1: the journal was rolled back/,
    );
  });

  it('names a journal that went on differently after an older backup', async () => {
    const other = join(scratch(), 'other');
    cpSync(older, other, { recursive: true });
    const apart = { SVC_CHAIN: 'none', SVC_RPC_URL: '', SVC_CONTRACTS: '' };
    const node = await startNode(other, [], { env: { ...env, ...apart } });
    const made = await post(`${node.url}/api/v1/identities`, { passphrase: 'of yet another' });
    await post(`${node.url}/api/v1/faucet`, { did: made.body.did });
    await node.stop();
    expect((await ofChain(other)).join('\n')).to.match(
      /another history than the journal: after operation 2 the heads differ/,
    );
  });

  it('names contracts that have none of it yet as behind, and that is all right', async () => {
    expect(await ofChain(dir, { SVC_CONTRACTS: await deployed() })).to.deep.equal([
      'it has 0 operations of this journal, with the same head; 2 wait',
    ]);
  });

  for (const [what, change, says] of [
    [
      'nobody there',
      () => ({ SVC_RPC_URL: 'http://127.0.0.1:9' }),
      /SVC_RPC_URL was asked for its chain id and gave no/,
    ],
    ['another chain', () => ({ SVC_CHAIN_ID: '5' }), /leads to chain 77003, and SVC_CHAIN_ID says 5/],
    ['no key', () => ({ SVC_OPERATOR_KEY_FILE: '' }), /needs SVC_OPERATOR_KEY_FILE/],
    ['no contracts', () => ({ SVC_CONTRACTS: '' }), /needs SVC_CONTRACTS/],
    [
      'a key that may not settle and has nothing to pay with',
      () => ({ SVC_OPERATOR_KEY_FILE: keyFile(stranger) }),
      /has no OPERATOR_ROLE\n.* has 0\.00 Ether/,
    ],
    [
      'no contract at an address',
      () => {
        const nowhere = `0x${'12'.repeat(20)}`;
        const [token, registry, vault, settlement] = [nowhere, nowhere, nowhere, nowhere];
        return { SVC_CONTRACTS: JSON.stringify({ token, registry, vault, settlement }) };
      },
      /there is no contract at 0x1212.* \(token\)/,
    ],
  ] as const) {
    it(`names ${what}`, async () => {
      expect((await ofChain(dir, change() as { [name: string]: string })).join('\n')).to.match(says);
    });
  }

  it('says when a local chain is to come, and what was settled on it', async () => {
    const local = scratch();
    const own = { SVC_NETWORK: 'devnet', SVC_RPC_URL: '', SVC_CONTRACTS: '', SVC_OPERATOR_KEY_FILE: '' };
    const node = await startNode(local, [], { env: { ...env, ...own } });
    await post(`${node.url}/api/v1/faucet`, { did: node.did });
    expect(await ofChain(local, own)).to.deep.equal([
      'it has 1 operations of this journal, with the same head; 0 wait',
    ]);
    await node.stop();
    expect(await ofChain(local, own)).to.deep.equal(['settled up to operation 1, as far as is recorded']);
    rmSync(join(local, 'chain'), { recursive: true });
    expect(await ofChain(local, own)).to.deep.equal(['settled up to operation 1, as far as is recorded']);
  });
});
