/** The time of entries, which never decreases but by a correction (docs/reference/journal-format.md#time). */
import { expect } from 'chai';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { coreOf, forge } from '../world/history.js';
import { didOf } from '../world/people.js';

/** Less than what puts the clock in doubt. */
const aheadMs = 9 * 60_000;

describe('the clock of a node that was nine minutes ahead', () => {
  let bench: Bench;
  const times = (): number[] => bench.store.tables.journal.map((row) => coreOf(row).time);
  const correct = () => bench.operate('node', didOf('node'), 'correct-clock', { reason: 'ahead', operator: 'cyd' });
  const pay = async () => accepted(await bench.transfer('ada', 'ben', 1)).entry.core.time;

  beforeEach(async () => {
    bench = await Bench.open({}, { ada: 100 });
    bench.world.setWall(-aheadMs);
  });

  it('does not go back in the journal by itself', async () => {
    const last = times().at(-1)!;
    expect([await pay(), await pay()]).to.deep.equal([last, last]);
    const again = await bench.restart();
    expect(accepted(await again.transfer('ada', 'ben', 1)).entry.core.time).to.equal(last);
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('goes back by a correction, which all later entries follow, and so does the next process', async () => {
    const last = times().at(-1)!;
    const { entry } = accepted(await correct());
    expect(entry.core).to.include({ time: bench.world.now() });
    expect(entry.core.time).to.be.below(last - aheadMs / 2);
    await bench.world.advance(5);
    expect(await pay()).to.equal(entry.core.time + 5);
    const again = await bench.restart();
    expect(accepted(await again.transfer('ada', 'ben', 1)).entry.core.time).to.equal(entry.core.time + 5);
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('is corrected by system keys alone, and a refused correction changes no time', async () => {
    const last = times().at(-1)!;
    const body = { reason: 'mine', operator: 'eve' };
    for (const who of ['ada', 'node'])
      expect(codeOf(await bench.ask(who, 'node', didOf('node'), 'correct-clock', body)), who).to.equal('FORBIDDEN');
    expect(await pay()).to.equal(last);
  });

  it('is what the audit requires of an entry that is earlier', async () => {
    await pay();
    accepted(await correct());
    await bench.world.advance(aheadMs / 2);
    await pay();
    await bench.world.advance(aheadMs / 2);
    await pay();
    expect(await bench.audit()).to.include({ ok: true });
    const { journal } = bench.store.tables;
    const what = 'its time is before that of an earlier entry of its home';
    // The last is earlier than the one before, and the correction is before both.
    const last = journal.length;
    forge(bench, last, { ...coreOf(journal.at(-1)!), time: coreOf(journal.at(-2)!).time - 1 });
    expect((await bench.audit()).flaw).to.include({ seq: last, check: 'sequence', what });
  });
});
