/** `svc-node clock`: the operator's decisions about a node whose clock is in doubt (docs/operations.md#a-wrong-clock). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { JournalClock } from '../actors/journal-clock.js';
import { bounds } from '../core/bounds.js';
import { realEnvironment } from '../core/environment.js';
import { clockFileIn } from '../node/clock-file.js';
import { askNode, noNodeRunning } from '../node/control/client.js';
import { askRunningNode } from './ask-node.js';
import { CommandFailed, must } from './failure.js';
import { withExamples } from './help.js';
import { note, printJson } from './output.js';
import { type CommonOptions, loadSettings, withCommonOptions } from './settings.js';

interface Correction extends CommonOptions {
  readonly reason: string;
  readonly operator: string;
}

export function addClock(program: Command): void {
  const clock = program
    .command('clock')
    .description('Decide about the clock of the node, which writes nothing while the clock is in doubt.');
  withExamples(
    withCommonOptions(
      clock
        .command('accept')
        .description('Say that this machine’s clock is right as it is now: the node writes again.'),
    ).action(accept),
    ['clock accept', 'after you have compared the clock with another one'],
  );
  withExamples(
    withCommonOptions(
      clock
        .command('correct')
        .description('Write an entry after which times are this machine’s again, if earlier entries have later ones.'),
    )
      .requiredOption('--reason <text>', 'why the times of earlier entries are wrong; everyone can read it')
      .requiredOption('--operator <name>', 'who corrects them')
      .action(correct),
    ['clock correct --reason "BIOS battery was empty" --operator Ada', 'after you have set the clock right'],
  );
  withExamples(clock, ['clock accept', 'the clock is right'], ['clock correct --help', 'the journal’s time is wrong']);
}

async function accept(common: CommonOptions): Promise<void> {
  const { dataDir } = loadSettings(common);
  const answer = await askNode(dataDir, 'clock.accept', {});
  const isRunning = answer !== noNodeRunning;
  if (!isRunning) acceptForNextStart(dataDir);
  const done = isRunning ? must(answer) : { accepted: true };
  if (common.json) printJson(done);
  else if (isRunning) note('The clock is right: the node writes again. Deadlines wait for an hour.');
  else note('The clock is right: the next start takes it as it is now. Deadlines wait for an hour.');
}

/** A start that has to write an entry ends while the clock is in doubt, before it can be asked. */
function acceptForNextStart(dataDir: string): void {
  const record = clockFileIn(dataDir, (error) => {
    throw new CommandFailed(`the state of the clock cannot be written: ${String(error)}`);
  });
  if (!record || !existsSync(join(dataDir, 'node.json')))
    throw new CommandFailed(`no node runs on ${dataDir}: start it first`);
  new JournalClock({ world: realEnvironment, skewMs: bounds.clockSkewMs, record }).accept();
}

async function correct({ reason, operator, ...common }: Correction): Promise<void> {
  const done = await askRunningNode(common, 'clock.correct', { reason, operator });
  if (common.json) printJson(done);
  else note(`Entry ${String(done.seq)} corrects the time: it is ${new Date(Number(done.time)).toISOString()}.`);
}
