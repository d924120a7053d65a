import type { Command } from 'commander';
import type { Config } from '../../node/config/config.js';
import { CommandFailed, UsageFault } from '../failure.js';
import { withExamples } from '../help.js';
import { print, printJson } from '../output.js';
import { runningNode } from '../running-node.js';
import { type CommonOptions, loadSettings, withCommonOptions } from '../settings.js';
import { paint } from '../terminal.js';
import type { DoctorFinding, State } from './finding.js';

export function addDoctor(program: Command): void {
  const command = withCommonOptions(
    program
      .command('doctor')
      .summary('Find problems of a setup, and how to fix them')
      .description(
        'Find problems of a setup, and how to fix them: variables, directories, keys, database, clock, port, ' +
          'chain. Changes nothing; a node may run meanwhile. Run it with the environment of the node. ' +
          'Exit code 1 if something prevents a node from working.',
      ),
  ).action(run);
  withExamples(
    command,
    ['doctor', 'the setup of this environment'],
    ['doctor --data /srv/svc --network testnet', 'the setup of a data directory'],
    ['doctor --json | jq ".findings[] | select(.state != \\"ok\\")"', 'the problems, for a program'],
  );
}

async function run(options: CommonOptions): Promise<void> {
  const [{ runChecks }, { machineChecks }] = await Promise.all([import('./check.js'), import('./machine.js')]);
  const findings = [...(await runChecks({}, machineChecks)), ...(await ofSetUp(options))];
  const problems = findings.filter(({ state }) => state === 'problem').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (options.json) printJson({ ok: problems === 0, problems, warnings, findings });
  else for (const line of findings.flatMap(linesOf)) print(line);
  if (problems > 0) throw new CommandFailed(`${numberOf(problems, 'problem')}, ${numberOf(warnings, 'warning')}`);
  if (!options.json) print(warnings > 0 ? `It works, with ${numberOf(warnings, 'warning')}.` : 'All is well.');
}

/** Checked first: with invalid variables nothing else can be checked. */
async function ofSetUp(options: CommonOptions): Promise<DoctorFinding[]> {
  try {
    const config = loadSettings(options);
    const context = { config, running: runningNode(config.dataDir) };
    const [{ runChecks }, ...lists] = await Promise.all([
      import('./check.js'),
      import('./directory.js').then(({ directoryChecks }) => directoryChecks),
      import('./keys.js').then(({ keyChecks }) => keyChecks),
      import('./database.js').then(({ databaseChecks }) => databaseChecks),
      import('./listening.js').then(({ listeningChecks }) => listeningChecks),
      import('./chain.js').then(({ chainChecks }) => chainChecks),
    ]);
    const sound: DoctorFinding = {
      about: 'variables',
      state: 'ok',
      says: `every SVC_ variable is one that the node understands${setIn(config)}`,
    };
    return [sound, ...(await runChecks(context, lists.flat()))];
  } catch (error) {
    if (!(error instanceof UsageFault)) throw error;
    return error.sentences.map((sentence) => ({
      about: 'variables',
      state: 'problem',
      says: sentence.replace(/\.$/, ''),
      mend: 'correct it in the environment or on the command line; the README explains each variable',
    }));
  }
}

/** What is not a default, with its origin. */
function setIn({ variables }: Config): string {
  const set = variables.filter(({ from }) => from !== 'default').map(({ name, from }) => `${name} (${from})`);
  return set.length === 0 ? '' : `; set: ${set.join(', ')}`;
}

const marks: { readonly [S in State]: string } = { ok: 'ok      ', warning: 'WARNING ', problem: 'PROBLEM ' };

const linesOf = ({ about, state, says, mend }: DoctorFinding): string[] => [
  `${paint(marks[state], state === 'ok' ? 'good' : 'trouble')} ${about}: ${says}`,
  ...(mend === undefined ? [] : [`         → ${mend}`]),
];

const numberOf = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
