/** What a transfer costs, compared with the least that a durable signed write needs on the same machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { Figure } from '../../scripts/bench/support/report.js';
import { scratch, tidy } from '../support/scratch.js';

const mostOfRecorded = 1.15;
/** Share of the processors that other programs may use: with more, caches and batches are not those of the record. */
const mostBusy = 0.2;
const lookMs = 2_000;
const tries = 2;

const recorded: { readonly [processor: string]: number } = JSON.parse(readFileSync('docs/benchmarks.json', 'utf8'));

function cpuTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map(({ times }) => times);
  const all = times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0);
  return { idle: times.reduce((sum, { idle }) => sum + idle, 0), all };
}

async function isBusy(): Promise<boolean> {
  const before = cpuTimes();
  await wait(lookMs);
  const after = cpuTimes();
  return (after.idle - before.idle) / (after.all - before.all) < 1 - mostBusy;
}

/** @returns CPU of a transfer, of the reference's: the median of slices that take turns */
async function measured(): Promise<number> {
  const dir = scratch();
  const args = ['dist/scripts/bench/bench.js', 'ratio', '--rounds', '15', '--seconds', '3', '--dir', dir, '--out', dir];
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  expect(code).to.equal(0);
  const { subjects } = JSON.parse(readFileSync(join(dir, 'figures.json'), 'utf8'));
  const figures = subjects['Transfers and the reference'] as readonly Figure[];
  return figures.find(({ what }) => what === 'transfer: CPU, of the reference')!.value!;
}

describe('A transfer', () => {
  after(tidy);

  it(`takes at most ${mostOfRecorded} × the CPU time that is recorded for this processor`, async function () {
    const record = recorded[cpus()[0]?.model.trim() ?? ''];
    if (record === undefined) return this.skip();
    for (let left = tries; left > 0; left--) {
      if (await isBusy()) return this.skip();
      const ratio = await measured();
      if (ratio <= mostOfRecorded * record) return;
      if (left === 1) expect.fail(`${ratio.toFixed(2)} × the reference; recorded: ${record} ×`);
    }
  });
});
