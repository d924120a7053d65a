/** The generated tests of the market's kinds: the paths as data, the walk over HTTP, and the alarms. */
import { expect } from 'chai';
import { paths, settingsOf } from '../../packages/model/src/index.js';
import { machinesOf } from '../../src/machines/catalogue.js';
import { describeWalk, itDeliversAlarms } from '../conformance/walked.js';
import { withAuctions } from './market.js';
import { auctionKinds } from './scenario.js';

const walked = machinesOf(withAuctions).filter(({ kind }) => kind in auctionKinds.scenarios);

describe('The paths of a fourth market', () => {
  it('lead to each of its states, with the refusals of each guard', () => {
    const found = paths('offer', { late: true }, auctionKinds);
    expect(settingsOf('offer', auctionKinds)).to.deep.equal(['on a lot of its own']);
    expect(found.map(({ state }) => state)).to.deep.equal(['leading', 'won']);
    expect(found[0]!.setUp.map(({ path }) => path)).to.deep.equal([
      '/api/v1/markets/auctions',
      '/api/v1/markets/auctions/{listingId}/offers',
    ]);
    const refused = found[0]!.refusals.map(({ action, by, late, expects }) => [action, by, late, expects.code]);
    expect(refused).to.deep.include(['accept', 'buyer', false, 'FORBIDDEN']);
    expect(refused).to.deep.include(['accept', 'seller', true, 'ORDER_INVALID_STATE']);
    const orders = paths('auction-order', {}, auctionKinds).map(({ state }) => state);
    expect(orders).to.have.members(['paid', 'disputed', 'confirmed', 'reviewed']);
  });
});

for (const definition of walked) {
  describeWalk(definition, auctionKinds);
  itDeliversAlarms(definition, auctionKinds);
}
