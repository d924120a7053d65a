/** `svc-node clock`: the operator's decisions about a running node whose clock is in doubt (docs/operations.md#a-wrong-clock). */
import type { Command } from 'commander';
import type { JsonObject } from '../core/canonical.js';
import { askNode, noNodeRunning } from '../node/control/client.js';
import { CommandFailed, must } from './failure.js';
import { withExamples } from './help.js';
import { note, printJson } from './output.js';
import { type CommonOptions, settingsOf, withCommonOptions } from './settings.js';

interface Correction extends CommonOptions {
  readonly reason: string;
  readonly operator: string;
}

export function addClock(program: Command): void {
  const clock = program
    .command('clock')
    .description('Decide about the clock of the running node, which writes nothing while the clock is in doubt.');
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

async function decide(common: CommonOptions, act: string, input: JsonObject, sentence: (done: JsonObject) => string) {
  const { dataDir } = settingsOf(common);
  const answer = await askNode(dataDir, act, input);
  if (answer === noNodeRunning) throw new CommandFailed(`no node runs on ${dataDir}: start it first`);
  const done = must(answer);
  if (common.json) printJson(done);
  else note(sentence(done));
}

const accept = (common: CommonOptions): Promise<void> =>
  decide(common, 'clock.accept', {}, () => 'The clock is right: the node writes again. Deadlines wait for an hour.');

const correct = ({ reason, operator, ...common }: Correction): Promise<void> =>
  decide(
    common,
    'clock.correct',
    { reason, operator },
    ({ seq, time }) => `Entry ${String(seq)} corrects the time: it is ${new Date(Number(time)).toISOString()}.`,
  );
