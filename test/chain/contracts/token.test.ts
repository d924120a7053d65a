import { expect } from 'chai';
import { roleOf } from '../../../src/chain/contracts/interfaces.js';
import { admin, evmOf, freezer, minter, operator, Stage, stranger } from './stage.js';

const [ann, bob] = [evmOf('ann'), evmOf('bob')];
const most = Number.MAX_SAFE_INTEGER;

describe('ServiceToken', () => {
  let stage: Stage;
  const token = (from: string, method: string, ...args: unknown[]) => stage.does(from, 'ServiceToken', method, args);
  const refuses = (from: string, method: string, args: unknown[], error: string) =>
    stage.refuses(from, 'ServiceToken', method, args, error);

  beforeEach(async () => {
    stage = await Stage.open();
    await token(minter, 'mint', ann, 100);
  });

  it('counts whole units', async () => {
    expect(await stage.asks('ServiceToken', 'decimals')).to.deep.equal([0]);
    expect(await stage.asks('ServiceToken', 'symbol')).to.deep.equal(['SVC']);
  });

  it('is minted by minters only', async () => {
    const role = await roleOf('MINTER_ROLE');
    for (const who of [admin, operator, freezer, stranger]) {
      await refuses(who, 'mint', [who, 1], `AccessControlUnauthorizedAccount(${who}, ${role})`);
    }
  });

  it('never exists more than 2^53-1 times', async () => {
    await refuses(minter, 'mint', [bob, most - 99], `ERC20ExceededCap(${most + 1}, ${most})`);
    await token(minter, 'mint', bob, most - 100);
    await refuses(minter, 'mint', [bob, 1], `ERC20ExceededCap(${most + 1}, ${most})`);
    expect(await stage.asks('ServiceToken', 'totalSupply')).to.deep.equal([most]);
  });

  it('a frozen holder sends nothing, by itself or by others, and still receives', async () => {
    await token(ann, 'approve', bob, 50);
    expect((await token(freezer, 'freeze', ann)).map(({ name }) => name)).to.deep.equal(['Frozen']);
    await refuses(ann, 'transfer', [bob, 1], `HolderFrozen(${ann})`);
    await refuses(bob, 'transferFrom', [ann, bob, 1], `HolderFrozen(${ann})`);
    await token(minter, 'mint', ann, 1);
    expect(await stage.tokensOf(ann)).to.equal(101);
    expect((await token(freezer, 'unfreeze', ann)).map(({ name }) => name)).to.deep.equal(['Unfrozen']);
    await token(ann, 'transfer', bob, 101);
    expect(await stage.tokensOf(bob)).to.equal(101);
  });

  it('is frozen by freezers only', async () => {
    const role = await roleOf('FREEZER_ROLE');
    for (const who of [admin, operator, minter, stranger]) {
      await refuses(who, 'freeze', [ann], `AccessControlUnauthorizedAccount(${who}, ${role})`);
      await refuses(who, 'unfreeze', [ann], `AccessControlUnauthorizedAccount(${who}, ${role})`);
    }
  });
});
