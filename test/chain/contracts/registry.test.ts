import { expect } from 'chai';
import { keccak256 } from 'ethers/crypto';
import { didHash, roleOf } from '../../../src/chain/contracts/interfaces.js';
import { publicKeyOf } from '../../../src/core/codecs/did.js';
import { ada, ben } from '../../world/people.js';
import { admin, evmOf, operator, registrar, Stage, stranger } from './stage.js';

const [ann, bob] = [evmOf('ann'), evmOf('bob')];
const zeroAddress = `0x${'0'.repeat(40)}`;

describe('IdentityRegistry', () => {
  let stage: Stage;
  let key: string;
  const registry = (from: string, method: string, ...args: unknown[]) =>
    stage.does(from, 'IdentityRegistry', method, args);
  const refuses = (from: string, method: string, args: unknown[], error: string) =>
    stage.refuses(from, 'IdentityRegistry', method, args, error);
  const controller = async (did = ada) =>
    String((await stage.asks('IdentityRegistry', 'controllerOf', [await didHash(did)]))[0]).toLowerCase();
  const registered = async (did = ada) =>
    (await stage.asks('IdentityRegistry', 'isRegistered', [await didHash(did)]))[0];

  beforeEach(async () => {
    stage = await Stage.open();
    key = await didHash(ada);
  });

  it('names a DID by keccak256 of its public key', async () => {
    expect(key).to.equal(keccak256(publicKeyOf(ada)));
  });

  it('is empty at first', async () => {
    expect([await controller(), await registered()]).to.deep.equal([zeroAddress, false]);
  });

  it('a registered DID has its controller, and the registrar may name another', async () => {
    await registry(registrar, 'register', key, ann);
    expect([await controller(), await registered()]).to.deep.equal([ann, true]);
    const events = await registry(registrar, 'register', key, bob);
    expect(events.map(({ name, args }) => [name, ...args.map((each) => String(each).toLowerCase())])).to.deep.equal([
      ['ControllerChanged', key, bob, ann],
    ]);
    expect(await controller()).to.equal(bob);
  });

  it('a revoked one has the zero address, and is known', async () => {
    await registry(registrar, 'register', key, ann);
    await registry(registrar, 'revoke', key);
    expect([await controller(), await registered()]).to.deep.equal([zeroAddress, true]);
    await registry(registrar, 'register', key, bob);
    expect(await controller()).to.equal(bob);
  });

  it('many are registered at once', async () => {
    const other = await didHash(ben);
    await registry(registrar, 'registerMany', [key, other], [ann, bob]);
    expect([await controller(ada), await controller(ben)]).to.deep.equal([ann, bob]);
    await refuses(registrar, 'registerMany', [[key], [ann, bob]], 'UnequalLengths(1, 2)');
    await refuses(registrar, 'registerMany', [[key], [zeroAddress]], `ZeroController(${key})`);
  });

  it('only a controller names its successor', async () => {
    await registry(registrar, 'register', key, ann);
    await refuses(bob, 'handOver', [key, bob], `NotController(${key}, ${bob})`);
    await refuses(ann, 'handOver', [key, zeroAddress], `ZeroController(${key})`);
    await registry(ann, 'handOver', key, bob);
    expect(await controller()).to.equal(bob);
    await refuses(ann, 'handOver', [key, ann], `NotController(${key}, ${ann})`);
  });

  it('refuses to register no address, and to revoke an unknown DID', async () => {
    await refuses(registrar, 'register', [key, zeroAddress], `ZeroController(${key})`);
    await refuses(registrar, 'revoke', [key], `NotRegistered(${key})`);
  });

  it('is the registrar’s to write', async () => {
    const role = await roleOf('REGISTRAR_ROLE');
    for (const who of [admin, operator, stranger]) {
      const error = `AccessControlUnauthorizedAccount(${who}, ${role})`;
      await refuses(who, 'register', [key, ann], error);
      await refuses(who, 'registerMany', [[key], [ann]], error);
      await refuses(who, 'revoke', [key], error);
    }
  });
});
