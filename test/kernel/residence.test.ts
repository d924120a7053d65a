/** Where a DID lives, as the journal of one home says (docs/reference/moving.md). */
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { ada, didOf } from '../world/people.js';

const [other, third] = ['another home', 'a third home'].map(didOf) as [string, string];

describe('A residence', () => {
  let bench: Bench;
  const here = didOf('node');
  const move = (to: string, epoch: number, who = 'ada') => {
    const action = bench.store.tables.snapshot('residence', ada) ? 'move' : 'create';
    return bench.ask(who, 'residence', ada, action, { to, epoch });
  };
  const residence = () => bench.store.tables.snapshot('residence', ada);

  beforeEach(async () => {
    bench = await Bench.open({}, { ada: 100, ben: 100 });
  });
  afterEach(async () => expect((await bench.audit()).flaw?.what).to.equal(undefined));

  it('is at the new home after a move, where an entry says so', async () => {
    const { entry } = accepted(await move(other, 1));
    expect(entry.core.event.type).to.equal('identity.moved');
    expect(residence()).to.deep.include({ state: 'away', context: { did: ada, home: other, epoch: 1 } });
  });

  it('ends what the DID may sign here, and names the new home', async () => {
    accepted(await bench.transfer('ada', 'ben', 1));
    accepted(await move(other, 1));
    const before = bench.dump();
    const refused = await bench.transfer('ada', 'ben', 1);
    expect(codeOf(refused)).to.equal('UNPROCESSABLE');
    expect(isRefusal(refused) && refused.detail).to.include(other);
    expect(bench.dump()).to.equal(before);
  });

  it('does so in the next process, and when the account has left memory', async () => {
    accepted(await move(other, 1));
    bench = await bench.restart();
    expect(codeOf(await bench.transfer('ada', 'ben', 1))).to.equal('UNPROCESSABLE');
  });

  it('lets others act: they pay the DID, and the clock and other homes do what is open', async () => {
    accepted(await move(other, 1));
    accepted(await bench.transfer('ben', 'ada', 1));
    accepted(await bench.operate('account', ada, 'freeze'));
  });

  it('comes back with a higher epoch, and not by a third home that this one cannot know', async () => {
    accepted(await move(other, 4));
    expect(codeOf(await move(third, 5))).to.equal('UNPROCESSABLE');
    expect(codeOf(await move(here, 4))).to.equal('CONFLICT');
    accepted(await move(here, 5));
    expect(residence()).to.deep.include({ state: 'here', context: { did: ada, home: here, epoch: 5 } });
    accepted(await bench.transfer('ada', 'ben', 1));
    expect(codeOf(await move(here, 5))).to.equal('CONFLICT');
    accepted(await move(here, 6));
    accepted(await move(third, 7));
  });

  it('is the DID’s own: no other signs it, not the operator either, and a home has none', async () => {
    expect(codeOf(await move(other, 1, 'ben'))).to.equal('FORBIDDEN');
    expect(codeOf(await bench.operate('residence', ada, 'create', { to: other, epoch: 1 }))).to.equal('FORBIDDEN');
    expect(codeOf(await bench.ask('node', 'residence', here, 'create', { to: other, epoch: 1 }))).to.equal(
      'UNPROCESSABLE',
    );
    accepted(await move(other, 1));
    expect(codeOf(await move(here, 2, 'ben'))).to.equal('FORBIDDEN');
    expect(residence()?.version).to.equal(1);
  });

  it('takes whole numbers from 1 on as epochs', async () => {
    for (const epoch of [0, -1, 1.5, 2 ** 53]) expect(codeOf(await move(other, epoch))).to.equal('INVALID_REQUEST');
  });
});

describe('A home that lets a DID sign after it has left', () => {
  it('is caught by an audit of its journal', async () => {
    const bench = await Bench.open({}, { ada: 100, ben: 100 });
    accepted(await bench.ask('ada', 'residence', ada, 'create', { to: other, epoch: 1 }));
    Object.defineProperty(bench.actors.registry.account(ada), 'residence', { get: () => undefined });
    accepted(await bench.transfer('ada', 'ben', 1));
    const { flaw } = await bench.audit();
    expect(flaw?.what).to.include('its action is refused: UNPROCESSABLE');
  });
});
