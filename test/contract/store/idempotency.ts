import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { firstDay } from '../entries.js';
import type { Bench } from '../fixture.js';

const ada = 'did:svc:ada';
const idem = { principal: ada, key: 'key-1' };
const noon = firstDay + dayMs / 2;

export function idempotency(bench: Bench): void {
  const claim = (time: number, issuer = ada, key = idem.key) =>
    bench.builder.fork().commit({ issuer, time, idem: { ...idem, key } });

  describe('idempotency', () => {
    it('recalls what was recorded, with the resources as the entry left them', async () => {
      const { builder } = bench;
      const { entry, snapshots } = builder.resource({ kind: 'order', id: 'o1', context: { a: [1] } }, { idem });
      await bench.accept({ entry, snapshots });
      await bench.accept(builder.resource({ kind: 'order', id: 'o1', state: 'paid' }));
      const recalled = await bench.store.recall(ada, 'key-1', builder.time);
      expect(recalled?.record).to.deep.equal({ ...idem, fingerprint: 'f'.repeat(64), status: 201 });
      expect(recalled?.entry).to.deep.include({ ...entry, seq: 1 });
      expect(recalled?.snapshots).to.deep.equal(snapshots.map(({ snapshot }) => snapshot));
      expect(await bench.store.recall(ada, 'key-2', builder.time)).to.equal(undefined);
      expect(await bench.store.recall('did:svc:bob', 'key-1', builder.time)).to.equal(undefined);
    });

    it('recalls an entry without resources', async () => {
      await bench.accept(claim(noon));
      expect((await bench.store.recall(ada, 'key-1', noon))?.snapshots).to.deep.equal([]);
    });

    it('recalls on the day of the entry and the next, and no longer', async () => {
      await bench.accept(claim(noon));
      const recalled = async (time: number) => (await bench.store.recall(ada, 'key-1', time)) !== undefined;
      expect(await recalled(firstDay)).to.equal(true);
      expect(await recalled(firstDay + 2 * dayMs - 1)).to.equal(true);
      expect(await recalled(firstDay + 2 * dayMs)).to.equal(false);
      expect(await recalled(firstDay - 1)).to.equal(false);
    });

    it('refuses a key claimed the same day, the day before, or the day after', async () => {
      await bench.accept(claim(noon));
      const day = firstDay / dayMs;
      const bob = 'did:svc:bob';
      expect(await bench.refused(claim(noon + 1, bob))).to.equal(`idem/${ada}#key-1@${day}`);
      expect(await bench.refused(claim(noon + dayMs, bob))).to.equal(`idem/${ada}#key-1@${day + 1}`);
      expect(await bench.refused(claim(noon - dayMs, bob))).to.equal(`idem/${ada}#key-1@${day}`);
      await bench.accept(claim(noon, bob, 'key-2'));
    });

    it('allows a key to be claimed again two days later, and then recalls the newer', async () => {
      await bench.accept(claim(noon));
      await bench.accept(claim(noon + 2 * dayMs, 'did:svc:bob'));
      expect((await bench.store.recall(ada, 'key-1', noon + 2 * dayMs))?.entry.seq).to.equal(2);
    });

    it('names a key before it when both are taken', async () => {
      await bench.accept(claim(noon));
      expect(await bench.refused(claim(noon))).to.equal(`nonce/${ada}#1`);
    });
  });
}
