/** Writes of one process: readable there at once, at the others within a second, everywhere in the same order. */
import { expect } from 'chai';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { EventStream } from '../../node/support/stream.js';
import { clusterForSuite, soon } from '../support/cluster.js';
import { describeMongo } from '../support/server.js';

describeMongo('three processes on one database', () => {
  const cluster = clusterForSuite(3);
  const three = [0, 1, 2];

  it('read their own writes at once, and each other’s within a second', async () => {
    const ada = await cluster().person(300);
    const [ben] = await cluster().person();
    for (const index of three) {
      ada[index]!.nonce = index + 1;
      const { eventHash } = await ada[index]!.pays(ben!.did, 10);
      expect(await ada[index]!.wallet()).to.include({ balance: 300 - 10 * (index + 1), nextNonce: index + 2 });
      expectStatus(await cluster().node(index).client.get(`/api/v1/events/${eventHash}`));
      for (const reader of ada)
        await soon(
          () => reader.wallet(),
          ({ nonce }) => nonce === index + 1,
        );
    }
  });

  it('act one after the other on one escrow, each on what the last one has left', async () => {
    const ada = await cluster().person(100);
    const [ben] = await cluster().person();
    const body = { beneficiary: ben!.did, amount: 30, releaseRules: [{ type: 'manual' }], autoFund: true };
    const { escrowId } = await ada[0]!.does('/api/v1/escrows', body);
    const read = async (index: number): Promise<Body> =>
      expectStatus(await cluster().node(index).client.get(`/api/v1/escrows/${escrowId}`));
    for (const [turn, index] of [1, 2, 0].entries()) {
      ada[index]!.nonce = turn + 2;
      expectStatus(await ada[index]!.act({ escrowId }, 'release', { amount: 10 }));
      expect(await read(index)).to.include({ released: 10 * (turn + 1) });
    }
    for (const index of three)
      await soon(
        () => read(index),
        ({ status }) => status === 'released',
      );
  });

  it('spend at once what was credited elsewhere: none is refused before catching up', async () => {
    const ada = await cluster().person(5);
    const ben = await cluster().person();
    for (let round = 0; round < 15; round++) {
      const [from, to] = round % 2 === 0 ? [ada, ben] : [ben, ada];
      const index = round % 3;
      from[index]!.nonce = Math.floor(round / 2) + 1;
      await from[index]!.pays(to[0]!.did, 5);
    }
    const poor = await ben[1]!
      .through(cluster().node(1).client)
      .write('/api/v1/transfers', { to: ada[0]!.did, amount: 6 });
    expect(poor.body.code).to.be.oneOf(['INSUFFICIENT_BALANCE', 'CONFLICT']);
  });

  it('give one idempotency key one reply, at any process', async () => {
    const ada = await cluster().person(100);
    const [ben] = await cluster().person();
    const key = { 'Idempotency-Key': 'once' };
    const asked = ada.map((who) => who.write('/api/v1/transfers', { to: ben!.did, amount: 7 }, key));
    const replies = await Promise.all(asked);
    for (const reply of replies) expectStatus(reply);
    expect(new Set(replies.map(({ body }) => body.eventHash)).size).to.equal(1);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).to.have.length(2);
    const other = await ada[2]!.write('/api/v1/transfers', { to: ben!.did, amount: 8 }, key);
    expectProblem(other, 'UNPROCESSABLE');
    expect(await ada[1]!.wallet()).to.include({ balance: 93 });
  });

  it('let a nonce wait for its predecessor, which comes in elsewhere', async () => {
    const ada = await cluster().person(100);
    const [ben] = await cluster().person();
    ada[1]!.nonce = 2;
    // A busy machine may need longer than the second that a request waits.
    const { world } = cluster().node(1);
    world.hold();
    try {
      const second = ada[1]!.write('/api/v1/transfers', { to: ben!.did, amount: 1 });
      await new Promise((resolve) => setTimeout(resolve, 100));
      await ada[0]!.pays(ben!.did, 1);
      expectStatus(await second);
    } finally {
      world.skip(0);
    }
  });

  it('show all events in order on the stream of each, wherever they were written', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => cluster().person(100)));
    const { seq } = await cluster().node(0).store.head();
    const streams = await Promise.all(
      three.map((index) => EventStream.open(`${cluster().node(index).url}/api/v1/events/stream?after=${seq}`)),
    );
    const written = await Promise.all(
      people.map(async (person, number) => {
        const hashes: string[] = [];
        for (let n = 0; n < 10; n++) {
          const who = person[(number + n) % 3]!;
          who.nonce = n + 1;
          hashes.push((await who.pays(people[(number + 1) % 6]![0]!.did, 1)).eventHash);
        }
        return hashes;
      }),
    );
    const shown = await Promise.all(streams.map((stream) => stream.take(60)));
    for (const events of shown) {
      expect(events.map(({ data }) => data.seq)).to.deep.equal(Array.from({ length: 60 }, (_, i) => seq + 1 + i));
      expect(events.map(({ data }) => data)).to.deep.equal(shown[0]!.map(({ data }) => data));
    }
    const hashes = shown[0]!.map(({ data }) => data.event.hash);
    expect(hashes).to.have.members(written.flat());
    // A write that was answered before the next was sent comes before it.
    for (const own of written) expect(hashes.filter((hash) => own.includes(hash))).to.deep.equal(own);
    for (const stream of streams) stream.close();
  });

  it('say what a 2xx means, and show no credentials', async () => {
    for (const index of three) {
      const { client } = cluster().node(index);
      const { store, synced } = expectStatus(await client.get('/api/v1/node'));
      expect(store.kind).to.equal('mongodb');
      expect(store.durability).to.match(/^in the journal of/);
      expect(synced).to.equal(true);
      expect(expectStatus(await client.get('/readyz')).durability).to.equal(store.durability);
      const metrics = (await client.get('/metrics')).text;
      expect(metrics).to.include(`svc_store{durability="${store.durability}"} 1`);
    }
  });
});
