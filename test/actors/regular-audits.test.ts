/** Audits at an interval: which of several processes on one database starts the next one. */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import type { AuditRun } from '../../src/verify/audit-report.js';
import { RegularAudits } from '../../src/verify/regular-audits.js';
import { FakeWorld, noon } from '../world/fake-world.js';

const hourMs = 3_600_000;

describe('regular audits', () => {
  let world: FakeWorld;
  let started: string[];
  let holder: string | undefined;
  let last: AuditRun | undefined;
  let processes: RegularAudits[];
  let chain: 'there' | 'away';

  /** A process of the node. Its audits take an hour, and all processes know the result when they end. */
  function process(name: string): RegularAudits {
    let running: AuditRun | undefined;
    const audits = {
      last: async () => last,
      get running() {
        return running;
      },
      start: async () => {
        started.push(name);
        const run: AuditRun = {
          ...{ status: 'running', startedAt: world.now(), finishedAt: null, checked: 0, known: 0, total: 0 },
          ...{ journal: null, flaw: null, note: null, chain: null },
        };
        running = run;
        world.after(hourMs, () => {
          last = { ...run, status: 'sound', finishedAt: world.now() };
          running = undefined;
        });
        return run;
      },
    };
    const mine = async () => {
      holder ??= name;
      return holder === name;
    };
    const ready = async () => chain === 'there';
    return new RegularAudits({
      audits,
      world,
      everyMs: dayMs,
      mine,
      ready,
      onFailure: (error) => expect.fail(String(error)),
    });
  }

  beforeEach(() => {
    world = new FakeWorld('regular audits', noon);
    [started, holder, last, chain] = [[], undefined, undefined, 'there'];
    processes = [process('one'), process('other')];
    for (const each of processes) each.start();
  });

  afterEach(() => Promise.all(processes.map((each) => each.stop())));

  it('are started by one process, also while its audit runs, once an interval', async () => {
    await world.advance(hourMs / 2);
    expect(started).to.deep.equal(['one']);
    await world.advance(3 * dayMs);
    expect(started).to.deep.equal(['one', 'one', 'one', 'one']);
  });

  it('wait a minute for the chain, and no longer', async () => {
    chain = 'away';
    await world.advance(50_000);
    expect(started).to.deep.equal([]);
    await world.advance(20_000);
    expect(started).to.deep.equal(['one']);
  });

  it('are started by the other one once the first is gone', async () => {
    await world.advance(2 * hourMs);
    await processes[0]!.stop();
    holder = undefined;
    await world.advance(dayMs);
    expect(started).to.deep.equal(['one', 'other']);
  });
});
