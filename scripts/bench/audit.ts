/** `svc-node audit` of a long journal of transfers: on one core, on all, and behind entries that an earlier one has verified. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import type { AuditReport } from '../../src/verify/audit.js';
import { cpuMicros, peakResidentBytes } from './support/child.js';
import { options } from './support/options.js';
import { environmentOf } from './support/people.js';
import { atLeast, atMost, mebibytes, median, micros, perSecond, table, times } from './support/report.js';
import { fillWithTransfers } from './support/transfers.js';

interface Run extends Pick<AuditReport, 'entries' | 'known'> {
  readonly ms: number;
  readonly cpuMicros: number;
  readonly peakBytes: number;
}

const program = fileURLToPath(new URL('../../../bin/svc-node.mjs', import.meta.url));
const onOneCore = ['taskset', '-c', '0'];

export async function audit(): Promise<void> {
  const dir = await fillWithTransfers(options.resources);
  const alone: Run[] = [];
  const all: Run[] = [];
  const again: Run[] = [];
  for (let round = 0; round < options.rounds; round++) {
    alone.push(await runAudit(dir, ['--full'], onOneCore));
    all.push(await runAudit(dir, ['--full']));
    again.push(await runAudit(dir, []));
  }
  const { entries } = all[0]!;
  assert(
    again.every(({ known }) => known === entries),
    'the second audit knows what the first one has verified',
  );
  const cpu = (runs: readonly Run[]) => median(runs.map((run) => run.cpuMicros / entries));
  const rate = (runs: readonly Run[]) => median(runs.map(({ ms }) => (entries / ms) * 1_000));
  const ratio = (runs: readonly Run[]) => median(runs.map(({ ms }, round) => alone[round]!.ms / ms));
  table(`Auditing ${entries} entries`, [
    { what: 'on one core: rate', measured: perSecond(rate(alone)) },
    { what: 'the same, CPU for each entry', measured: micros(cpu(alone)) },
    { what: 'on all cores: rate', measured: perSecond(rate(all)) },
    { what: 'the same, CPU for each entry', measured: micros(cpu(all)) },
    atLeast('compared with one core', ratio(all), 1.8, times),
    atMost('memory', Math.max(...all.map(({ peakBytes }) => peakBytes)), 300e6, mebibytes),
    { what: 'of known entries: rate', measured: perSecond(rate(again)) },
    { what: 'the same, CPU for each entry', measured: micros(cpu(again)) },
  ]);
}

export async function runAudit(dir: string, words: readonly string[], on: readonly string[] = []): Promise<Run> {
  const from = world.monotonic();
  const [command, ...rest] = [...on, process.execPath, program, 'audit', '--json', ...words];
  const env = { ...process.env, ...environmentOf(dir) };
  const child = spawn(command!, rest, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let text = '';
  child.stdout.on('data', (some: Buffer) => {
    text += some.toString();
  });
  let [cpu, peakBytes] = [0, 0];
  let isRunning = true;
  const watch = async () => {
    while (isRunning) {
      try {
        cpu = cpuMicros(child.pid!);
        peakBytes = peakResidentBytes(child.pid!) || peakBytes;
      } catch {
        return; // it has just ended
      }
      await pause(world, 50);
    }
  };
  void watch();
  await ended;
  isRunning = false;
  const report = JSON.parse(text) as AuditReport;
  assert(report.ok, 'the journal is sound');
  return { ...report, ms: world.monotonic() - from, cpuMicros: cpu, peakBytes };
}
