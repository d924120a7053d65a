/** The file of the index of cards: when it is begun again, and what it has no room for. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { feedBounds } from '../../../src/core/bounds.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { catalogueOf } from '../../../src/machines/catalogue.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { cardFileIn } from '../../../src/node/peering.js';
import { CardIndex, type CardIndexOptions } from '../../../src/peers/cards/card-index.js';
import { scratch, tidy } from '../../support/scratch.js';
import { accepted, Bench } from '../../world/bench.js';
import { cardIn, indexOptions, linesOf, linksOf } from './journal.js';

describe('The index of cards', () => {
  let bench: Bench;
  let dir: string;
  let index: CardIndex;

  const options = (more: Partial<CardIndexOptions> = {}): CardIndexOptions => ({
    ...indexOptions(bench.catalogue, cardFileIn(dir, realEnvironment)),
    ...more,
  });
  const isKept = async () => (await cardIn(index, 'lst-1', bench.actors.journal.known)) !== undefined;

  beforeEach(async () => {
    bench = await Bench.open({}, { ada: 1 });
    accepted(await bench.ask('ada', 'info-listing', 'lst-1', 'create', infoListing.create.example));
    dir = scratch();
    index = await CardIndex.open(options(), () => true);
    const links = linksOf(await linesOf(bench));
    expect(await index.take(bench.actors.journal.known, links)).to.equal(undefined);
    expect(await isKept()).to.equal(true);
  });
  afterEach(() => index.close());
  after(tidy);

  const reopened = async (isPeer: boolean, more: Partial<CardIndexOptions> = {}) => {
    await index.close();
    index = await CardIndex.open(options(more), () => isPeer);
    return [await isKept(), index.cursor(bench.actors.journal.known).seq > 0];
  };

  it('is kept over a restart', async () => {
    expect(await reopened(true)).to.deep.equal([true, true]);
  });

  it('is begun again where it has cards of a home that is no peer any more', async () => {
    expect(await reopened(false)).to.deep.equal([false, false]);
  });

  it('is begun again on another network, and under other rules of search', async () => {
    expect(await reopened(true, { network: 'testnet' })).to.deep.equal([false, false]);
    await index.close();
    index = await CardIndex.open(options(), () => true);
    await index.take(bench.actors.journal.known, linksOf(await linesOf(bench)));
    expect(await isKept()).to.equal(true);
    const fewer = catalogueOf(Object.values(bench.catalogue.definitions).filter(({ kind }) => kind !== 'task-listing'));
    expect(await reopened(true, { catalogue: fewer })).to.deep.equal([false, false]);
  });

  it('is begun again where its file is damaged', async () => {
    await index.close();
    await writeFile(join(dir, 'peers', 'journal.db'), 'no database');
    index = await CardIndex.open(options(), () => true);
    expect(await isKept()).to.equal(false);
  });

  it('keeps no further cards of a home that has shown too many bytes, and follows it', async () => {
    accepted(await bench.ask('ada', 'info-listing', 'lst-2', 'create', infoListing.create.example));
    const [last] = linksOf(await linesOf(bench)).slice(-1);
    const home = bench.actors.journal.known;
    expect(await index.take(home, [{ ...last!, bytes: feedBounds.cardBytes + 1 }])).to.equal(undefined);
    expect(await cardIn(index, 'lst-2', home)).to.equal(undefined);
    expect(index.cursor(home).seq).to.equal(last!.seq);
    expect(await isKept()).to.equal(true);
  });

  it('asks to be begun again after a failure, takes nothing before, and blames no home', async () => {
    const lost: string[] = [];
    const file = cardFileIn(dir, realEnvironment);
    const open = async () =>
      Object.assign(await file.open(), { keepCards: () => Promise.reject(new Error('the disk is broken')) });
    await index.close();
    const logged: string[] = [];
    const onLost = () => void lost.push('lost');
    index = await CardIndex.open(
      options({ file: { ...file, open }, onLost, log: (said) => logged.push(said) }),
      () => true,
    );
    accepted(await bench.ask('ada', 'info-listing', 'lst-2', 'create', infoListing.create.example));
    const links = linksOf(await linesOf(bench));
    expect(await index.show(bench.actors.journal.known, links)).to.equal('again');
    expect(await index.show(bench.actors.journal.known, [])).to.equal('again');
    expect([lost, logged]).to.deep.equal([['lost'], ['cards could not be kept']]);
  });
});
