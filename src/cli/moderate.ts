/** `svc-node moderate`: what this node hides (docs/reference/moderation.md). */
import type { Command } from 'commander';
import type { JsonObject } from '../core/canonical.js';
import type { HiddenTarget } from '../projections/moderations.js';
import { askRunningNode } from './ask-node.js';
import { withExamples } from './help.js';
import { note, printJson, printTable } from './output.js';
import { type CommonOptions, withCommonOptions } from './settings.js';

interface Decision extends CommonOptions {
  readonly reason: string;
  readonly operator: string;
}

export function addModerate(program: Command): void {
  const moderate = program
    .command('moderate')
    .description(
      'Hide listings, profiles and texts here, of this or another home. The journal keeps them, and the reason.',
    );
  const decision = (name: 'hide' | 'show', description: string) =>
    withCommonOptions(moderate.command(name).description(description))
      .argument(
        '<target>',
        'id of a listing, with ~ and the tag of its home if it is another; a DID, for its profile; or the hash of a text, as leaf list shows it',
      )
      .requiredOption('--reason <text>', 'why; everyone can read it')
      .option('--operator <name>', 'who decides it; everyone can read it', 'operator')
      .action((target: string, { reason, operator, ...common }: Decision) =>
        decide(common, name, { target, reason, operator }),
      );
  withExamples(
    decision('hide', 'Hide it from searches, lists and pages. No one can buy it here; its orders run on.'),
    ['moderate hide lst-01J… --reason "sells stolen data"', 'a listing'],
    ['moderate hide did:svc:z6Mk… --reason "poses as the bank"', 'name, bio, avatar and links of a DID'],
  );
  withExamples(decision('show', 'Show what is hidden again.'), [
    'moderate show lst-01J… --reason "was a mistake"',
    'the listing is found again',
  ]);
  withExamples(
    withCommonOptions(moderate.command('list').description('List what is hidden, with the reasons.')).action(list),
    ['moderate list --json', 'for programs'],
  );
  withExamples(moderate, ['moderate list', 'what is hidden'], ['moderate hide --help', 'what can be hidden']);
}

async function decide(common: CommonOptions, name: 'hide' | 'show', input: JsonObject): Promise<void> {
  const done = await askRunningNode(common, `moderation.${name}`, input);
  if (common.json) return printJson(done);
  note(`${String(done.target)} is ${name === 'hide' ? 'hidden' : 'shown again'}: entry ${String(done.seq)}.`);
}

async function list(common: CommonOptions): Promise<void> {
  const done = await askRunningNode(common, 'moderation.list', {});
  if (common.json) return printJson(done);
  const hidden = done.hidden as unknown as readonly HiddenTarget[];
  if (hidden.length === 0) return note('Nothing is hidden.');
  printTable(
    ['TARGET', 'REASON', 'OPERATOR'],
    hidden.map(({ target, reason, operator }) => [target, reason, operator]),
  );
}
