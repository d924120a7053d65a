/** What a restarted process reads of its machine's clock (docs/decisions/0036-the-clock.md). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { clockFileIn } from '../../src/node/clock-file.js';
import { scratch, tidy } from '../support/scratch.js';

const state = { uptimeMs: 5_000, offsetMs: 7, deadlinesWait: true, overruledMs: 3 };

describe('the file of the clock', () => {
  before(function () {
    if (!existsSync('/proc/sys/kernel/random/boot_id')) this.skip();
  });
  after(tidy);

  function kept(): [string, NonNullable<ReturnType<typeof clockFileIn>>] {
    const dir = scratch();
    const record = clockFileIn(dir, (error) => expect.fail(String(error)))!;
    record.keep(state);
    return [join(dir, 'clock.json'), record];
  }

  it('counts until the machine boots again', () => {
    const [file, record] = kept();
    expect(record.read(5_000)).to.include(state);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"boot":"[^"]+"/, '"boot":"another"'));
    expect(record.read(5_000)).to.deep.equal({ deadlinesWait: true });
  });

  it('takes a boot-time clock that has begun again for another boot', () => {
    expect(kept()[1].read(4_999)).to.deep.equal({ deadlinesWait: true });
  });

  it('counts for nothing if a crash has cut it off', () => {
    const [file, record] = kept();
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20));
    expect(record.read(5_000)).to.deep.equal({});
  });
});
