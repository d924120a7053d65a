/** DIDs that move between three homes (docs/reference/moving.md), whose old home lives, is dead, or lies. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { signerOf } from '../../../src/keys/signing.js';
import { tagOf } from '../../../src/peers/tag.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body, Reply } from '../../node/support/client.js';
import { seedIn } from '../../node/support/kdf.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from '../nodes/network.js';

const variables = { SVC_SETTLEMENT_WAIT_MS: '5000', SVC_PEERS_HOMEWARD: '1' };

describe('A DID that moves', function () {
  this.timeout(60_000);
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  let cleo: Person;

  before(async () => {
    homes = await Promise.all([0, 1, 2].map(() => Home.start({ variables })));
    [a, b, c] = homes as [Home, Home, Home];
    await acquaint(homes);
    for (const home of homes)
      for (const other of homes)
        if (home !== other) expectStatus(await home.node.client.post('/api/v1/faucet', { did: other.did }));
    cleo = await c.node.rich();
    await cleo.pays(c.did, 1);
    await settled();
  });
  after(() => discard(homes));

  async function settled(): Promise<void> {
    for (const home of homes) for (const other of homes) if (other !== home) await home.sees(other);
  }

  /** The same person at another home, to which the key was carried. */
  async function carried(person: Person, from: Home, to: Home): Promise<Person> {
    const file = join('keystore', `${person.address}.json`);
    await copyFile(join(from.node.dir, file), join(to.node.dir, file));
    const there = person.through(to.node.client);
    there.nonce = 1;
    return there;
  }

  const move = (who: Person, to: string, more: Body = {}): Promise<Reply> =>
    who.write(`/api/v1/identities/${who.did}/actions/move`, { to, ...more });
  const moved = async (who: Person, to: string): Promise<Body> => expectStatus(await move(who, to));
  const residenceAt = async (home: Home, did: string): Promise<Body> =>
    (await home.get(`/identities/${did}`)).residence;
  const available = async (home: Home, did: string): Promise<number> =>
    (await home.get(`/wallets/${did}`)).availableBalance;

  /** What a home does in the name of a DID whose key it has, without asking what others say. */
  async function doesByItself(
    home: Home,
    who: Person,
    asked: { kind: string; id: string; action: string; input: JsonObject },
  ) {
    const signer = signerOf(await seedIn(home.node.dir, who.address, who.passphrase));
    const done = await home.node.running.actors.execute({ ...asked, signer: who.did, unlock: () => signer });
    if (isRefusal(done)) expect.fail(`${done.code}: ${done.detail}`);
    return done;
  }

  it('signs at its new home from then on; its Tokens and new credits go there, and its escrows stay', async () => {
    const ada = await a.node.rich(80);
    const escrow = await ada.does('/api/v1/escrows', {
      ...{ beneficiary: a.did, amount: 30, releaseRules: [{ type: 'manual' }], autoFund: true },
    });
    const there = await carried(ada, a, b);
    await settled();
    expectProblem(await move(ada, 'nowhere'), 'INVALID_REQUEST');
    expect(expectProblem(await move(ada, b.did, { epoch: 2 }), 'CONFLICT').detail).to.include('epoch must be 1');
    expect((await moved(ada, tagOf(b.did, []))).residence).to.deep.equal({ home: b.did, epoch: 1 });
    const refused = expectProblem(await ada.write('/api/v1/transfers', { to: a.did, amount: 1 }), 'UNPROCESSABLE');
    expect(refused.detail).to.include(b.did);
    await settled();
    for (const home of homes) expect(await residenceAt(home, ada.did)).to.deep.equal({ home: b.did, epoch: 1 });
    await until('its Tokens are at home', () => available(b, ada.did), { is: (now) => now === 50, longestMs: 15_000 });
    expect(await available(a, ada.did)).to.equal(0);
    expect(await cleo.pays(ada.did, 5)).to.include({ home: b.did });
    // Her key is still at A.
    expect(await (await a.node.rich(3)).pays(ada.did, 2)).to.include({ home: b.did });
    expect(await available(b, ada.did)).to.equal(57);
    await b.sees(a);
    const released = await there.does(`/api/v1/escrows/${escrow.escrowId}~${a.did}/actions/release`, { amount: 10 });
    expect(released).to.include({ amount: 10 }).and.have.property('remoteRequestId');
    expectProblem(await move(there, 'own'), 'CONFLICT');
  });

  it('is a party at its new home: confidential payloads go there, and no longer to the home that it has left', async () => {
    const eve = await a.node.rich(5);
    await eve.pays(a.did, 1);
    await settled();
    const contract = async (): Promise<string> => {
      const made = await cleo.does('/api/v1/contracts', {
        provider: eve.did,
        terms: { scope: 'only for the parties' },
      });
      await settled();
      return made.id;
    };
    const isWithheld = async (home: Home, id: string): Promise<boolean> =>
      (await home.get(`/contracts/${id}~${c.did}`)).withheld === true;
    const earlier = await contract();
    expect([await isWithheld(a, earlier), await isWithheld(b, earlier)]).to.deep.equal([false, true]);
    await moved(eve, b.did);
    await settled();
    const later = await contract();
    expect([await isWithheld(a, later), await isWithheld(b, later)]).to.deep.equal([true, false]);
    expect(await isWithheld(a, earlier)).to.equal(false);
    // What was withheld from B before, it gets when it reads that journal again.
    await b.operator('peers.forget', { did: c.did });
    await until('it has all again', () => b.node.client.get(`/api/v1/contracts/${earlier}~${c.did}`), {
      is: ({ status, body }) => status === 200 && body.withheld !== true,
    });
  });

  it('comes back, once its old home has read that, or with its own word', async () => {
    const abe = await a.node.rich(5);
    await abe.pays(a.did, 1);
    const there = await carried(abe, a, b);
    await moved(abe, b.did);
    await b.sees(a);
    expect((await moved(there, a.did)).residence).to.deep.equal({ home: a.did, epoch: 2 });
    await a.sees(b);
    // Its own journal still says that it has left: it confirms the move here.
    expectProblem(await abe.write('/api/v1/transfers', { to: a.did, amount: 1 }), 'UNPROCESSABLE');
    expect((await moved(abe, 'own')).residence).to.deep.equal({ home: a.did, epoch: 2 });
    await abe.pays(a.did, 1);
    expectProblem(await there.write('/api/v1/transfers', { to: b.did, amount: 1 }), 'UNPROCESSABLE');
  });

  it('moves without its old home, which learns of it when it is back', async () => {
    const dora = await a.node.rich(40);
    await dora.pays(a.did, 1);
    const there = await carried(dora, a, b);
    await settled();
    const address = (await a.address()).replace(/\/p2p.*/, '');
    const { dir } = a.node;
    await a.stop();
    expect((await moved(there, 'own')).residence).to.deep.equal({ home: b.did, epoch: 1 });
    a = await Home.start({ dir, variables: { ...variables, SVC_LISTEN: address } });
    homes = [a, b, c];
    await until('the peers are connected', () => a.peer(b), { is: ({ status }) => status === 'current' });
    await settled();
    const late = dora.through(a.node.client);
    const refused = expectProblem(await late.write('/api/v1/transfers', { to: a.did, amount: 1 }), 'UNPROCESSABLE');
    expect(refused.detail).to.include(b.did);
    await until('its Tokens have followed', () => available(b, dora.did), {
      is: (now) => now === 39,
      longestMs: 15_000,
    });
  });

  it('is claimed by two homes in one epoch: all see it, and its next move ends it', async () => {
    const fay = await a.node.rich(9);
    await fay.pays(a.did, 1);
    const there = await carried(fay, a, b);
    await moved(fay, 'own');
    // B has not read A's journal yet.
    const claim = { kind: 'residence', id: fay.did, action: 'create', input: { to: b.did, epoch: 1 } };
    await doesByItself(b, there, claim);
    there.nonce++;
    await settled();
    for (const home of homes) {
      const { claims, residence } = await home.get(`/identities/${fay.did}`);
      expect(residence).to.equal(undefined);
      expect(claims.map((each: Body) => [each.home, each.epoch])).to.have.deep.members([
        [a.did, 1],
        [b.did, 1],
      ]);
      expect(claims[0].event).to.match(/^[0-9a-f]{64}$/);
    }
    const unclear = expectProblem(await cleo.write('/api/v1/transfers', { to: fay.did, amount: 1 }), 'CONFLICT');
    for (const { did } of [a, b]) expect(unclear.detail).to.include(tagOf(did, []));
    const ann = await a.node.rich(2);
    expectProblem(await ann.write('/api/v1/transfers', { to: fay.did, amount: 1 }), 'CONFLICT');
    expect(await ann.pays(fay.did, 1, { home: 'own' })).to.include({ to: fay.did });
    await moved(fay, 'own');
    await settled();
    for (const home of homes) expect(await residenceAt(home, fay.did)).to.deep.equal({ home: a.did, epoch: 2 });
    expect(await cleo.pays(fay.did, 1)).to.include({ home: a.did });
  });

  it('leaves a home that lies: what that one does in its name is not taken, and its claims end with the next move', async () => {
    const ed = await a.node.rich(30);
    await ed.pays(a.did, 1);
    const there = await carried(ed, a, b);
    await settled();
    await moved(there, 'own');
    await settled();
    // A continues to write in its name, as if it knew nothing of the move.
    await doesByItself(a, ed, { kind: 'account', id: ed.did, action: 'transfer', input: { to: a.did, amount: 1 } });
    const asked = { kind: 'account', resource: ed.did, action: 'transfer', input: { to: cleo.did, amount: 1 } };
    const sent = await doesByItself(a, ed, {
      ...{ kind: 'remote-request', id: 'rem-lie', action: 'create' },
      input: { home: c.did, ...asked, money: 0 },
    });
    const answer = await until('C has answered', () => c.node.store.load('remote-answer', sent.entry.core.event.hash), {
      is: (found) => found !== undefined,
    });
    expect(answer).to.deep.include({ state: 'refused' });
    expect(String(answer!.context.detail)).to.include(`has left ${a.did}, and lives at ${b.did}`);
    await settled();
    expect(await residenceAt(c, ed.did)).to.deep.equal({ home: b.did, epoch: 1 });
    expect(await cleo.pays(ed.did, 1)).to.include({ home: b.did });
    // With the key it claims the DID again, until the DID moves once more.
    await doesByItself(a, ed, { kind: 'residence', id: ed.did, action: 'create', input: { to: a.did, epoch: 2 } });
    await settled();
    expect(await residenceAt(c, ed.did)).to.deep.equal({ home: a.did, epoch: 2 });
    expect((await moved(there, 'own')).residence).to.deep.equal({ home: b.did, epoch: 3 });
    await settled();
    expect(await residenceAt(c, ed.did)).to.deep.equal({ home: b.did, epoch: 3 });
    await there.pays(b.did, 1, { home: 'own' });
    // The highest number leaves none for a further move.
    const last = { to: a.did, epoch: Number.MAX_SAFE_INTEGER };
    await doesByItself(a, ed, { kind: 'residence', id: ed.did, action: 'move', input: last });
    await settled();
    expect(expectProblem(await move(there, 'own'), 'CONFLICT').detail).to.include('no number is left');
    for (const home of homes) expect(await home.node.audit()).to.include({ ok: true });
  });

  it('is not signed for by a home whose own journal says that it has left: its followers stop there', async () => {
    const gus = await a.node.rich(30);
    await gus.pays(a.did, 1);
    await moved(gus, b.did);
    const { registry } = a.node.running.actors;
    Object.defineProperty(registry.account(gus.did), 'residence', { get: () => undefined });
    await doesByItself(a, gus, { kind: 'account', id: gus.did, action: 'transfer', input: { to: a.did, amount: 1 } });
    for (const home of [b, c]) {
      const { violation } = await until('it is stopped', () => home.peer(a), {
        is: ({ status }) => status === 'stopped',
      });
      expect(violation?.what).to.include('UNPROCESSABLE');
    }
  });
});
