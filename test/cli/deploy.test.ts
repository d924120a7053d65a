/**
 * The contracts are deployed on another party's chain, and a node settles there
 * (docs/reference/configuration.md#variables).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ContractAddresses } from '../../src/chain/contracts/deployment.js';
import { Operator } from '../../src/chain/settlement/transaction.js';
import { Anvil } from '../chain/support/anvil.js';
import { anvilBinary } from '../chain/support/anvil-binary.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { json, svcNode } from './support/command.js';
import { get, startNode } from './support/node.js';

const key = '11'.repeat(32);

(anvilBinary() === undefined ? describe.skip : describe)('svc-node chain deploy', () => {
  let anvil: Anvil;
  let env: { [name: string]: string };

  before(async () => {
    anvil = await Anvil.start(77_002);
    await anvil.give(new Operator(Buffer.from(key, 'hex')).address, 10n ** 18n);
    const file = join(scratch(), 'operator.key');
    writeFileSync(file, `0x${key}\n`);
    env = {
      SVC_CHAIN: 'auto',
      SVC_RPC_URL: anvil.url,
      SVC_OPERATOR_KEY_FILE: file,
      SVC_PASSPHRASE: 'of the node itself',
    };
  });
  after(async () => {
    await anvil?.stop();
    await tidy();
  });

  it('prints what a node on that network settles with', async () => {
    const deployed = await svcNode(['chain', 'deploy', '--network', 'testnet'], { env });
    expect(deployed.code, deployed.stderr).to.equal(0);
    expect(deployed.stderr)
      .to.match(/deploys on chain 77002, for testnet/)
      .and.match(/deploy LedgerVault: 0x/);
    const contracts = join(scratch(), 'contracts.json');
    writeFileSync(contracts, deployed.stdout);
    expect(json(deployed)).to.have.all.keys('token', 'registry', 'vault', 'settlement', 'block');
    const { token, vault } = json<ContractAddresses>(deployed);
    const again = await svcNode(['chain', 'deploy', '--network', 'testnet', '--token', token], { env });
    expect(json<ContractAddresses>(again).token).to.equal(token);
    expect(json<ContractAddresses>(again).vault).to.not.equal(vault);

    const settled = { ...env, SVC_CONTRACTS: contracts, SVC_CHAIN_ID: '77002' };
    const node = await startNode(scratch(), ['--network', 'testnet'], { env: settled });
    const { body } = await get(`${node.url}/api/v1/node`);
    expect(body.chain).to.include({ kind: 'rpc', chainId: 77_002, connected: true, settlement: 'running' });
    const claimed = await fetch(`${node.url}/api/v1/faucet`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ did: node.did }),
    });
    expect(await claimed.json()).to.include({ status: 'confirmed', amount: 100 });
    await node.stop();
  });

  it('for another network is no chain of this one', async () => {
    const deployed = await svcNode(['chain', 'deploy', '--network', 'mainnet'], { env });
    const settled = { ...env, SVC_CONTRACTS: deployed.stdout };
    const node = await startNode(scratch(), ['--network', 'testnet'], { env: settled });
    await until('it has halted', async () => (await get(`${node.url}/api/v1/node`)).body.chain.settlement === 'halted');
    expect((await get(`${node.url}/readyz`)).body.status).to.equal('degraded');
    await node.stop();
  });

  for (const [what, change, says] of [
    ['no chain', { SVC_RPC_URL: '' }, /SVC_RPC_URL names no chain/],
    ['another chain', { SVC_CHAIN_ID: '5' }, /SVC_RPC_URL leads to chain 77002, and SVC_CHAIN_ID says 5/],
    ['nobody there', { SVC_RPC_URL: 'http://127.0.0.1:9' }, /gave no answer/],
    ['no key', { SVC_OPERATOR_KEY_FILE: '' }, /needs SVC_OPERATOR_KEY_FILE/],
  ] as const) {
    it(`says so where there is ${what}`, async () => {
      const refused = await svcNode(['chain', 'deploy', '--network', 'testnet'], { env: { ...env, ...change } });
      expect(refused.code).to.be.oneOf([1, 2]);
      expect(refused.stderr).to.match(says);
      expect(refused.stdout).to.equal('');
    });
  }
});
