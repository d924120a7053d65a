/** How the typed client and the command line show other homes' listings (docs/reference/other-homes.md). */
import { expect } from 'chai';
import { ApiError, Client } from '../../packages/client/src/index.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { runHere } from '../cli/support/here.js';
import { failureOf } from '../client/script.js';
import { didOf, ben as seller } from '../world/people.js';
import { HandmadeCards } from './support/handmade-cards.js';
import { publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const north = didOf('north');

describe('Cards of other homes, as shown', () => {
  const cards = new HandmadeCards();
  const node = nodeForSuite({ parts: { cards } });
  let own: Person;
  before(async () => {
    own = await node().rich(100);
    await publishes(own, { listingId: 'lst-1', title: 'Here' });
    cards.follow(north, 1_700_000_000_000);
    await cards.listing(infoListing, { seller, home: north, id: 'lst-1', at: 1_000, body: { title: 'There' } });
    await cards.listing(infoListing, { seller, home: north, id: 'lst-2', at: 1_000 });
  });

  it('the client finds them, and names the home of what it writes on', async () => {
    const client = new Client({ url: node().url }).as(own);
    const { listings } = await client.search.info({ home: north, keyword: 'there' });
    const [listing] = listings;
    expect(listing).to.include({ id: 'lst-1', title: 'There', home: north, asOf: 1_700_000_000_000 });
    expect(await client.markets.info.get(`lst-1~${north}`)).to.deep.include({ title: 'There' });
    const error = (await failureOf(client.markets.info.pause(listing!))) as ApiError;
    expect(error).to.be.instanceOf(ApiError).and.include({ status: 422, refusal: 'UNPROCESSABLE' });
    expect(error.problem).to.include({ home: north });
    expect(error.message).to.include(north);
  });

  it('the command line has a column for the home, and prints where to deal', async () => {
    const env = { SVC_NODE_DID: own.did, SVC_PASSPHRASE: own.passphrase };
    const run = (...words: string[]) => runHere([...words, '--url', node().url, '--data', node().dir], env);
    const { stdout } = await run('market', 'search', '--keyword', 'there');
    const [heading, row] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(row![heading!.indexOf('HOME')]).to.equal(north);
    expect((await run('market', 'search', '--home', 'own')).stdout).not.to.include('HOME');
    const { stdout: one } = await run('info', 'get', `lst-1~${north}`);
    expect(one)
      .to.match(new RegExp(`home +${north}`))
      .and.match(/asOf +2023-/);
    const { code, stderr } = await run('info', 'pause', 'lst-2');
    expect(code).to.equal(6);
    expect(stderr).to.include('listing lst-2 is of another home').and.include(north);
  });
});
