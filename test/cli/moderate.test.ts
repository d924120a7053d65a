/** `svc-node moderate` as operators type it, while a node runs (docs/reference/moderation.md#how-to-hide). */
import { expect } from 'chai';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { tidy } from '../support/scratch.js';
import { json, svcNode } from './support/command.js';
import { get, post, startHere, type TestNode } from './support/node.js';

const passphrase = 'correct horse battery 1';

describe('svc-node moderate', () => {
  let node: TestNode;
  let [did, listing] = ['', ''];
  before(async () => {
    node = await startHere();
    ({ did } = (await post(`${node.url}/api/v1/identities`, { passphrase })).body);
    const body = { ...infoListing.create.example, did, passphrase, nonce: 1 };
    ({ listingId: listing } = (await post(`${node.url}/api/v1/markets/info`, body)).body);
  });
  after(tidy);

  const moderate = (...words: readonly string[]) => svcNode(['moderate', ...words, '--data', node.dataDir]);
  const listed = async (): Promise<readonly object[]> =>
    json<{ hidden: object[] }>(await moderate('list', '--json')).hidden;

  it('hides, lists and shows again', async () => {
    const { stdout, stderr } = await moderate('list');
    expect(stdout + stderr).to.equal('Nothing is hidden.\n');
    for (const target of [listing, did]) {
      const done = await moderate('hide', target, '--reason', 'sells stolen data', '--operator', 'on call');
      expect(done.stdout + done.stderr).to.match(new RegExp(`^${target} is hidden: entry \\d+\\.\n$`));
    }
    const decided = { reason: 'sells stolen data', operator: 'on call', owners: [did] };
    expect(await listed()).to.deep.equal([listing, did].map((target) => ({ target, ...decided })));
    expect((await moderate('list')).stdout).to.include(`${listing}\tsells stolen data\ton call`);
    const page = `${node.url}/api/v1/markets/info/${listing}`;
    expect((await get(page)).body).to.include({ detail: 'hidden by the operator: sells stolen data' });
    expect((await moderate('show', listing, '--reason', 'was a mistake')).code).to.equal(0);
    expect((await get(page)).body).to.include({ listingId: listing });
    expect(await listed()).to.have.lengthOf(1);
  });

  it('hides a text by its hash, except for its parties', async () => {
    const other = (await post(`${node.url}/api/v1/identities`, { passphrase })).body.did as string;
    await post(`${node.url}/api/v1/faucet`, { did });
    const memo = { did, passphrase, nonce: 2, to: other, amount: 1, memo: 'not for all' };
    const { eventHash } = (await post(`${node.url}/api/v1/transfers`, memo)).body;
    const { payload, leaves } = (await get(`${node.url}/api/v1/events/${eventHash}`)).body;
    expect(payload.input.memo).to.equal('not for all');
    const { leaf } = leaves['/memo'];
    expect((await moderate('hide', leaf, '--reason', 'insults')).code).to.equal(0);
    expect((await listed()).at(-1)).to.deep.include({ target: leaf, owners: [did, other] });
    const shown = (await get(`${node.url}/api/v1/events/${eventHash}`)).body;
    expect([shown.payload.input.memo, shown.leaves['/memo'].erased]).to.deep.equal([null, true]);
  });

  it('refuses what is not there, what is hidden, and what is not', async () => {
    const reason = ['--reason', 'none'];
    const own = (await post(`${node.url}/api/v1/identities`, { passphrase })).body.did as string;
    const body = { ...infoListing.create.example, did: own, passphrase, nonce: 1, visibility: 'private' };
    const { listingId } = (await post(`${node.url}/api/v1/markets/info`, body)).body;
    expect((await moderate('hide', listingId, ...reason)).stderr).to.include(`${listingId} is private`);
    const unknown = await moderate('hide', 'lst-unknown', ...reason);
    expect([unknown.code, unknown.stderr].join()).to.include(
      'lst-unknown is no DID, and no listing or text that is known here',
    );
    const shown = await moderate('show', listing, ...reason);
    expect([shown.code, shown.stderr].join()).to.match(/^[1-9].*it is not hidden/s);
    expect((await moderate('hide', did)).stderr).to.include('--reason');
    await moderate('hide', did, ...reason);
    const again = await moderate('hide', did, ...reason);
    expect(again.stderr).to.include('it is hidden already');
  });
});
