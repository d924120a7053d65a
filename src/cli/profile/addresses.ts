/** `svc-node address`: names for DIDs, which all commands accept in place of a DID. */
import type { Command } from 'commander';
import { parseDidArgument } from '../accounts.js';
import { CommandFailed } from '../failure.js';
import { withExamples } from '../help.js';
import { note, print, printJson, printTable } from '../output.js';
import { type JsonOption, withJson } from '../settings.js';
import { checkedName, readPreferences, tellIfAlike, writePreferences } from './preferences.js';

export function addAddresses(program: Command): void {
  const book = program.command('address').description('Your address book: names for DIDs.');
  withJson(book.command('add').argument('<name>').argument('<did>').description('Give a DID a name.')).action(add);
  withJson(book.command('list').description('List all names.')).action(list);
  withJson(book.command('remove').argument('<name>').description('Forget a name.')).action(remove);
  const examples = { add: 'address add ben did:svc:z6Mk…', list: 'address list', remove: 'address remove ben' };
  for (const command of book.commands) {
    withExamples(command, [examples[command.name() as keyof typeof examples], 'for example']);
  }
  withExamples(
    book,
    ['address add ben did:svc:z6Mk…', 'from now on, ben is this DID'],
    ['transfer --to ben --amount 5', 'wherever a command takes a DID'],
  );
}

async function add(text: string, account: string, { json }: JsonOption): Promise<void> {
  const name = checkedName(text);
  const did = parseDidArgument(account);
  const preferences = readPreferences();
  await writePreferences({ ...preferences, addresses: { ...preferences.addresses, [name]: did } });
  if (json) return printJson({ name, did });
  print(`${name} is ${did}.`);
  tellIfAlike(name, did);
}

async function list({ json }: JsonOption): Promise<void> {
  const { addresses } = readPreferences();
  if (json) return printJson({ addresses });
  const rows = Object.entries(addresses).sort(([one], [other]) => one.localeCompare(other));
  if (rows.length === 0) return note('No names yet: svc-node address add NAME DID adds one.');
  printTable(['NAME', 'DID'], rows);
}

async function remove(name: string, { json }: JsonOption): Promise<void> {
  const preferences = readPreferences();
  if (!Object.hasOwn(preferences.addresses, name)) throw new CommandFailed(`the address book has no ${name}`);
  const { [name]: did, ...addresses } = preferences.addresses;
  await writePreferences({ ...preferences, addresses });
  if (json) return printJson({ name, did, removed: true });
  print(`Removed ${name}.`);
}
