/** Bad news of peers that were written from the documents alone: `POST /news` (docs/reference/feeds.md#news). */
import { expect } from 'chai';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import type { Person } from '../../node/support/person.js';
import { acquaint, discard, Home } from '../../peers/nodes/network.js';
import { isLong } from '../../support/long.js';
import { until } from '../../support/until.js';
import { Monitor } from '../support/monitor.js';
import { describeInPython, outputOf } from '../support/python.js';

type Kind = 'malformed' | 'misshapen' | 'forged' | 'future' | 'forked' | 'forged-crowd' | 'large' | 'too-large';
interface Outcome {
  readonly did: string;
  /** How often which status was answered, or `cut`. */
  readonly answers: { readonly [answer: string]: number };
}

const seconds = isLong ? 60 : 5;

describeInPython('Bad news of peers in Python', () => {
  let homes: Home[];
  let [a, b] = [] as unknown as [Home, Home];
  let sellers: readonly Person[];
  let outcomes: { readonly [kind in Kind]: Outcome };
  let seen: Awaited<ReturnType<Monitor['stop']>>;

  const publishes = async (seller: Person, title: string): Promise<Body> =>
    expectStatus(await seller.write('/api/v1/markets/info', { ...infoListing.create.example, title }), 201);
  const isFound = (home: Home, keyword: string) =>
    until(`${keyword} is found`, () => home.get(`/markets/search?keyword=${keyword}`), {
      is: ({ listings }) => listings.length === 1,
    });

  before(async () => {
    homes = [await Home.start(), await Home.start()];
    [a, b] = homes as [Home, Home];
    await acquaint(homes);
    sellers = [await a.node.rich(), await b.node.rich()];
    const kinds: { readonly [kind: string]: string } = JSON.parse(await outputOf('news.py'));
    for (const address of Object.values(kinds)) await a.operator('peers.add', { address });
    await a.sees(b);
    const monitor = new Monitor({ url: a.node.url, pid: process.pid });
    const sent = outputOf('news.py', await a.address(), '--homes', `${a.did},${b.did}`, '--seconds', String(seconds));
    // Both homes are at work meanwhile.
    await publishes(sellers[1]!, 'Osprey of B');
    await isFound(a, 'osprey');
    await publishes(sellers[0]!, 'Heron of A');
    await isFound(b, 'heron');
    outcomes = JSON.parse(await sent);
    seen = await monitor.stop();
  });
  after(() => discard(homes));

  it('is refused or taken without effect, and its sender is cut off after too much of it', () => {
    const answers = (kind: Kind) => Object.keys(outcomes[kind].answers);
    for (const kind of Object.keys(outcomes) as Kind[]) {
      expect(['204', '400', '413', '429', 'cut'], kind).to.include.members(answers(kind));
    }
    expect(answers('malformed')).to.deep.equal(['400']);
    for (const kind of ['future', 'forked'] as const) expect(answers(kind), kind).to.deep.equal(['204']);
    for (const kind of ['misshapen', 'forged-crowd'] as const) expect(answers(kind), kind).to.include('cut');
    expect(answers('large')).to.include('400').and.not.to.include('204');
    expect(answers('too-large')).to.include('413').and.not.to.include('204');
  });

  it('accuses no one but its sender', async () => {
    await a.isCurrentWith(b);
    await b.isCurrentWith(a);
    expectStatus(await a.node.client.get(`/api/v1/node/peers/${b.did}/evidence`), 404);
    for (const [kind, { did }] of Object.entries(outcomes)) {
      expect((await a.peer({ did })).status, kind).to.equal(kind === 'forked' ? 'forked' : 'unreachable');
    }
    expect(await a.get(`/node/peers/${outcomes.forked.did}/evidence`)).to.include({ cause: 'equivocation' });
  });

  it('leaves the node ready, and all homes followed', async () => {
    expect(seen.failures).to.equal(0);
    expect(seen.p99Ms, 'p99 of /healthz, ms').to.be.below(isLong ? 250 : 500);
    expect((await a.node.client.get('/readyz')).status).to.equal(200);
    await publishes(sellers[0]!, 'Swift of A');
    await publishes(sellers[1]!, 'Wren of B');
    await isFound(b, 'swift');
    await isFound(a, 'wren');
    for (const home of homes) expect((await home.node.audit()).ok).to.equal(true);
  });
});
