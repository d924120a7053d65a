/** Metrics of several processes on one database, as monitoring reads them. */
import { expect } from 'chai';
import { clusterForSuite } from '../support/cluster.js';
import { describeMongo } from '../support/server.js';

describeMongo('the metrics of two processes on one database', () => {
  const cluster = clusterForSuite(2);

  async function figures(index: number): Promise<Map<string, number>> {
    const { text } = await cluster().node(index).client.get('/metrics');
    const lines = [...text.matchAll(/^(svc_store\w*)(?:\{[^}]*\})? (\S+)$/gm)];
    return new Map(lines.map(([, name, value]) => [name!, Number(value)]));
  }

  it('count conflicts that were tried again, entries, and what they shared', async () => {
    const before = await Promise.all([figures(0), figures(1)]);
    const [here, there] = await cluster().person(1_000);
    const { did: to } = await cluster().node(0).person();
    // The same nonce at both processes: one accepts it, the other loses the race.
    for (let nonce = 1; nonce <= 10; nonce++) {
      const pay = (person: typeof here) => person!.write('/api/v1/transfers', { to, amount: 1, nonce });
      const statuses = (await Promise.all([pay(here), pay(there)])).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([200, 409]);
    }
    const after = await Promise.all([figures(0), figures(1)]);
    const grown = (name: string) =>
      after.reduce((sum, each, index) => sum + each.get(name)! - before[index]!.get(name)!, 0);
    expect(grown('svc_store_conflicts_total')).to.be.within(1, 10);
    // The faucet's entry, and the payments.
    expect(grown('svc_store_entries_total')).to.equal(11);
    expect(grown('svc_store_numbered_total')).to.equal(11);
    expect(grown('svc_store_inserts_total')).to.be.within(1, 21);
    expect(grown('svc_store_rounds_total')).to.be.within(1, 11);
  });

  it('say that one of them numbers, how many there are, and what a 2xx means', async () => {
    const both = await Promise.all([figures(0), figures(1)]);
    expect(both.map((each) => each.get('svc_store_numbers')).sort()).to.deep.equal([0, 1]);
    for (const [index, each] of both.entries()) {
      expect(each.get('svc_store_processes')).to.equal(2);
      expect(each.get('svc_store_connections')).to.be.above(0);
      expect(each.get('svc_store_clock_skew_seconds')).to.be.below(5);
      const { client } = cluster().node(index);
      const { text } = await client.get('/metrics');
      const { durability } = (await client.get('/readyz')).body;
      expect(durability).to.match(/^in the journal of /);
      expect(text).to.include(`svc_store{durability="${durability}"} 1`);
    }
  });
});
