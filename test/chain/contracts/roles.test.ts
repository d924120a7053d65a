import { expect } from 'chai';
import { planDeployment } from '../../../src/chain/contracts/deployment.js';
import { didHash, roleOf } from '../../../src/chain/contracts/interfaces.js';
import { encodeBatch } from '../../../src/chain/operations/operation-batch.js';
import { ada } from '../../world/people.js';
import { forwarder } from './forwarder.js';
import {
  admin,
  deployer,
  evmOf,
  freezer,
  hexOf,
  minter,
  network,
  operator,
  reasonOf,
  registrar,
  Stage,
  stranger,
} from './stage.js';

const noRole = `0x${'0'.repeat(64)}`;
const ann = evmOf('ann');
type Role = Parameters<typeof roleOf>[0];

describe('roles', () => {
  let stage: Stage;
  const roleId = (role: string) => (role === 'admin' ? noRole : roleOf(role as Role));

  beforeEach(async () => {
    stage = await Stage.open();
  });

  it('after a deployment belong to the given addresses only', async () => {
    const vault = stage.contracts.vault.toLowerCase();
    const holders = {
      ServiceToken: { admin: [admin], MINTER_ROLE: [vault, minter], FREEZER_ROLE: [freezer] },
      IdentityRegistry: { admin: [admin], REGISTRAR_ROLE: [registrar] },
      Settlement: { admin: [admin], OPERATOR_ROLE: [operator] },
    } as const;
    const accounts = [admin, deployer, operator, registrar, freezer, minter, vault, stranger];
    for (const [name, roles] of Object.entries(holders)) {
      for (const [role, expected] of Object.entries(roles)) {
        const found: string[] = [];
        for (const who of accounts) {
          const [has] = await stage.asks(name as keyof typeof holders, 'hasRole', [await roleId(role), who]);
          if (has) found.push(who);
        }
        expect(found.sort(), `${role} of ${name}`).to.deep.equal([...expected].sort());
      }
    }
  });

  it('a stream that may not mint can’t', async () => {
    const mainnet = await Stage.open(undefined, false);
    const vault = mainnet.contracts.vault.toLowerCase();
    const error = `AccessControlUnauthorizedAccount(${vault}, ${await roleOf('MINTER_ROLE')})`;
    await mainnet.refusesBatch([{ op: 'mint', to: ada, amount: 1 }], error);
  });

  it('are planned for a deployer that is the admin itself without a detour', async () => {
    const roles = { admin: deployer, operator, mints: false };
    const { steps } = await planDeployment({ deployer, nonce: 7, network, ...roles });
    expect(steps.map(({ what }) => what)).to.deep.equal([
      'deploy ServiceToken',
      'deploy IdentityRegistry',
      'deploy LedgerVault',
    ]);
  });

  it('can be a contract’s, such as a multisig', async () => {
    const multisig = await forwarder(stage);
    for (const [name, role] of [
      ['ServiceToken', 'MINTER_ROLE'],
      ['ServiceToken', 'FREEZER_ROLE'],
      ['IdentityRegistry', 'REGISTRAR_ROLE'],
      ['Settlement', 'OPERATOR_ROLE'],
    ] as const) {
      await stage.does(admin, name, 'grantRole', [await roleOf(role), multisig.address]);
    }
    const batch = { first: 1, prevHead: stage.head, operations: stage.pack([{ op: 'mint', to: ada, amount: 7 }]) };
    for (const { to, data } of [
      stage.call('ServiceToken', 'mint', [ann, 1]),
      stage.call('ServiceToken', 'freeze', [ann]),
      stage.call('IdentityRegistry', 'register', [await didHash(ada), ann]),
      { to: stage.contracts.settlement, data: hexOf(encodeBatch(batch)) },
    ]) {
      expect(await reasonOf(await multisig.send(to, data))).to.equal('nothing');
    }
    expect(await stage.tokensOf(ann)).to.equal(1);
    expect(await stage.account(ada)).to.include({ available: 7 });
  });

  it('of admin go to a multisig, which then takes them from whom they were given', async () => {
    const multisig = await forwarder(stage);
    for (const name of ['ServiceToken', 'IdentityRegistry', 'Settlement'] as const) {
      await stage.does(admin, name, 'grantRole', [noRole, multisig.address]);
      await stage.does(admin, name, 'renounceRole', [noRole, admin]);
      const refused = `AccessControlUnauthorizedAccount(${admin}, ${noRole})`;
      await stage.refuses(admin, name, 'grantRole', [await roleOf('OPERATOR_ROLE'), ann], refused);
    }
    const { to, data } = stage.call('Settlement', 'revokeRole', [await roleOf('OPERATOR_ROLE'), operator]);
    expect(await reasonOf(await multisig.send(to, data))).to.equal('nothing');
    await stage.refusesBatch([], /^AccessControlUnauthorizedAccount/);
  });
});
