/** Controllers of DIDs on chain: keys derived from the DID's key, and the registry that records them. */

import { hkdfSync } from 'node:crypto';
import { expect } from 'chai';
import { addressOfKey } from '../../src/chain/contracts/controller.js';
import { didHash } from '../../src/chain/contracts/interfaces.js';
import { ChainAway, ChainRefused } from '../../src/chain/evm/evm.js';
import { Registrar } from '../../src/chain/follower/registrar.js';
import { realEnvironment as world } from '../../src/core/environment.js';
import { deriveControllerKey } from '../../src/keys/controller-key.js';
import { signerOf } from '../../src/keys/signing.js';
import { tidy } from '../support/scratch.js';
import { didOf, signer } from '../world/people.js';
import { Rig } from './support/rig.js';

const keyed = (name: string) => deriveControllerKey(signer(name));
const controllerOf = (name: string) => addressOfKey(keyed(name).key);

describe('the key of a controller', () => {
  it('is HKDF-SHA256 of the seed, under an info that ends in its index', () => {
    const seed = Buffer.alloc(32, 7);
    const info = (index: number) => Buffer.from(hkdfSync('sha256', seed, '', `svc:controller:v1:${index}`, 32));
    const { key, did } = deriveControllerKey(signerOf(seed));
    expect(Buffer.from(key).toString('hex')).to.equal(info(0).toString('hex'));
    expect(did).to.equal(signerOf(seed).did);
    expect(Buffer.from(deriveControllerKey(signerOf(seed), 1).key).toString('hex')).to.equal(info(1).toString('hex'));
  });

  it('has one address, the same in every release', async () => {
    const { key } = deriveControllerKey(signerOf(Buffer.alloc(32, 7)));
    expect(await addressOfKey(key)).to.equal('0x819D539138e49097cf1417FD1F4aA717Cdfd2511');
  });
});

describe('the registrar', () => {
  let rig: Rig;
  let registrar: Registrar;
  const logged: string[] = [];

  before(async () => {
    rig = await Rig.open();
    registrar = new Registrar({ reader: rig.reader, outOfBand: rig, world, log: (message) => logged.push(message) });
  });
  after(async () => {
    await registrar?.stop();
    await rig?.close();
    await tidy();
  });

  it('registers many DIDs in one transaction, each with the address of its key', async () => {
    const names = ['ada', 'ben', 'cyd'];
    for (const name of names) registrar.used(keyed(name));
    const dan = await registrar.register(keyed('dan'));
    expect(dan).to.deep.equal({ registered: true, controller: await controllerOf('dan') });
    for (const name of names) {
      expect(await rig.reader.registration(didOf(name))).to.deep.equal({
        registered: true,
        controller: await controllerOf(name),
      });
    }
    expect(rig.sent).to.have.length(1);
  });

  it('skips DIDs that the registry knows, because their controller may have changed or been revoked', async () => {
    const other = '0x52908400098527886E0F7030069857D2E4169EE7';
    await rig.call(rig.operator, 'IdentityRegistry', 'register', await didHash(didOf('ada')), other);
    await rig.call(rig.operator, 'IdentityRegistry', 'revoke', await didHash(didOf('ben')));
    rig.sent.length = 0;
    expect(await registrar.register(keyed('ada'))).to.deep.equal({ registered: true, controller: other });
    expect(await registrar.register(keyed('ben'))).to.deep.equal({ registered: true, controller: null });
    expect(rig.sent).to.deep.equal([]);
  });

  it('says so where the chain is away or refuses, and does it the next time', async () => {
    rig.trouble = ['away', 'refused'];
    for (const kind of [ChainAway, ChainRefused]) {
      const error = await registrar.register(keyed('eve')).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(kind);
    }
    expect(logged.filter((line) => line === 'controllers are not registered')).to.have.length(2);
    expect((await registrar.register(keyed('eve'))).controller).to.equal(await controllerOf('eve'));
  });

  it('registers once where the answer was lost', async () => {
    rig.trouble = ['lost'];
    await registrar.register(keyed('fay')).catch(() => {});
    rig.sent.length = 0;
    expect((await registrar.register(keyed('fay'))).registered).to.equal(true);
    expect(rig.sent).to.deep.equal([]);
  });
});
