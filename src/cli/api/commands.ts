/** A command for each operation of the API: arguments from its path, flags from its schema, examples from its example. */
import { type Command, Option } from 'commander';
import { withExamples } from '../help.js';
import { withData, withJson } from '../settings.js';
import { addFields, bodyFields, type CommandField, isUsual, queryFields } from './fields.js';
import { firstCommands } from './first-commands.js';
import { asWord, commandWords, groupOf, isListed, kebab, narrowings } from './names.js';
import { type ApiOperation, isOwnDid, opensHere, readOperations, signedActionsOf, takesKey } from './operations.js';
import { outputFormats } from './output-format.js';
import { flagsOf, shortFlagText } from './sample-line.js';

export interface ApiCommandChoice {
  /** The group whose commands are added; absent: all. Other groups are added by name only. */
  readonly only?: string | undefined;
  /** Whether `--url` was given. Commands for this machine then become the same operations of that node. */
  readonly isElsewhere?: boolean;
}

export function addApi(program: Command, choice: ApiCommandChoice = {}): void {
  const all = readOperations();
  for (const operation of all) {
    const words = commandWords(operation);
    if (words === undefined || isNarrowing(operation)) continue;
    const narrower = all.find(({ operationId }) => operationId === narrowings[operation.operationId]);
    const [group = '', name] = words.split(' ');
    if (name === undefined) {
      if (isFree(program, group, choice)) addOperation(program, operation, words).helpGroup(groupOf(group).heading);
      continue;
    }
    const parent = groupIn(program, group);
    const isWanted = choice.only === undefined || choice.only === group;
    if (isWanted && isFree(parent, name, choice)) addOperation(parent, operation, words, narrower);
  }
}

const isNarrowing = ({ operationId }: ApiOperation): boolean => Object.values(narrowings).includes(operationId);

/**
 * Whether a command can be added under this name. A command for this machine keeps the name, unless `--url` was given:
 * then the operation replaces it, except for `status`.
 */
function isFree(parent: Command, name: string, { isElsewhere = false }: ApiCommandChoice): boolean {
  const index = parent.commands.findIndex((command) => command.name() === name);
  if (index < 0) return true;
  if (!isElsewhere || name === 'status') return false;
  (parent.commands as Command[]).splice(index, 1);
  return true;
}

function groupIn(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  if (known) return known;
  const { says, heading } = groupOf(name);
  const group = program.command(name).description(says).helpGroup(heading);
  return withExamples(group, ...(firstCommands[name] ?? [[`${name} --help`, 'its commands']]));
}

/** @param narrower the operation that the command performs if its optional argument is given */
function addOperation(parent: Command, operation: ApiOperation, words: string, narrower?: ApiOperation): Command {
  const [group = '', name = group] = words.split(' ');
  const command = parent.command(name, { hidden: !isListed(operation) }).description(operation.summary);
  const places = placesOf(operation);
  places.forEach((place, index) => {
    const isOwn = isOwnDid(operation, index);
    const text = isOwn ? `[${kebab(place.name)}]` : `<${kebab(place.name)}>`;
    command.argument(text, isOwn ? 'DID or name; yours if you leave it out' : (place.description ?? ''));
  });
  for (const { name: place } of narrower ? placesOf(narrower) : []) {
    command.argument(`[${kebab(place)}]`, 'only those that belong to it');
  }
  const word = asWord[operation.operationId];
  if (word !== undefined) command.argument(`[${word}]`, `the same as --${word}`);
  const fields = operation.method === 'GET' ? queryFields(operation) : bodyFields(operation, group);
  fields.find(({ name: field }) => field === word)?.option.makeOptionMandatory(false);
  addOptions(command, operation, fields);
  command.action(async (...given: unknown[]) => {
    const { perform } = await import('./request.js');
    const asked = narrower !== undefined && given[0] !== undefined ? narrower : operation;
    const taken = given.slice(0, placesOf(asked).length) as string[];
    const options = { ...(word === undefined ? {} : { [word]: given[0] }), ...command.opts() };
    await perform({ operation: asked, words, fields, places: taken, options });
  });
  command.showHelpAfterError(`Usage: svc-node ${words} ${command.usage()}\n(--help explains the command)`);
  return withExamples(command, ...examplesOf(operation, words, fields));
}

const placesOf = ({ parameters }: ApiOperation) => parameters.filter((each) => each.in === 'path');

/** Adds the options of one command, the required ones first, and after them the options that all commands have. */
function addOptions(command: Command, operation: ApiOperation, fields: readonly CommandField[]): void {
  const { method, body, parameters } = operation;
  const isSigned = body?.properties?.nonce !== undefined;
  const own = fields.filter(({ name }) => !isSigned || !isUsual(name));
  const sorted = [...own.filter(({ isRequired }) => isRequired), ...own.filter(({ isRequired }) => !isRequired)];
  if (sorted.length > 0) command.optionsGroup('Options:');
  addFields(command, sorted);
  if (parameters.some(({ name }) => name === 'after') && parameters.some(({ name }) => name === 'limit')) {
    command.option('--all', 'every page, up to the end');
  }
  if (method === 'POST') {
    command.option('--input <file>', 'the whole body as JSON, or a part of it; - reads standard input; flags win');
  }
  if (isSigned || body?.properties?.passphrase) command.optionsGroup('Signing:');
  addFields(
    command,
    fields.filter((field) => !own.includes(field)),
  );
  if (body?.properties?.passphrase) {
    command.option(
      '--passphrase-file <file>',
      'its first line unlocks the key (SVC_PASSPHRASE, SVC_PASSPHRASE_FILE, or a prompt)',
    );
  }
  if (method !== 'GET') addOwnKey(command, operation);
  if (method === 'POST') {
    command.option(
      '--idempotency-key <text>',
      'identifies this write: if you send it again, it still takes effect once',
    );
  }
  addCommonOptions(command, operation);
}

/** Options of those who keep their key (docs/signing.md#on-the-command-line). */
function addOwnKey(command: Command, operation: ApiOperation): void {
  const signed = signedActionsOf(operation);
  const what = signed ? 'you sign here' : opensHere(operation) ? 'you decrypt here' : 'you read as its DID';
  const says = `file of your own key: ${what}, and the node never sees the key${signed ? ' (SVC_NODE_SIGNING_KEY)' : ''}`;
  const signingKey = new Option('--signing-key <file>', says);
  // Hidden where it can't be used: to give it there is an error with a reason.
  command.addOption(takesKey(operation) ? signingKey : signingKey.hideHelp());
  if (operation.method === 'GET' && takesKey(operation))
    command.option('--passphrase-file <file>', 'its first line opens that file (SVC_PASSPHRASE_FILE, or a prompt)');
  if (!signed) return;
  if (signed.some(({ made }) => made?.includes('networkArbiter')))
    command.option('--network-arbiter <did>', 'with your own key: the arbiter of the network that you accept');
}

function addCommonOptions(command: Command, operation: ApiOperation): void {
  const { method } = operation;
  command.optionsGroup('Output:');
  command.addOption(
    new Option('--output <format>', 'table for people; full: every member; json, yaml').choices(outputFormats),
  );
  withJson(command);
  if (method === 'GET') {
    command.option('--wide', 'all columns and whole values, however narrow the terminal is');
    command.option('--watch [seconds]', 'ask again, every 2 seconds, until Ctrl-C');
  }
  command.optionsGroup('Connection:');
  if (method === 'GET') addOwnKey(command, operation);
  command
    .option('--profile <name>', 'profile of svc-node config (SVC_NODE_PROFILE)')
    .option('--url <url>', 'root of the node (SVC_NODE_URL); default: the node that runs on the data directory')
    .option('--key <key>', 'API key; SVC_NODE_KEY is safer, because other users cannot read it')
    .option('--key-file <file>', 'file whose first line is the API key (SVC_NODE_KEY_FILE)')
    .option('--timeout <seconds>', 'how long to wait for each answer, and for that of another home');
  withData(command);
}

type Example = readonly [line: string, meaning: string];

function examplesOf(
  { method, example = {}, parameters }: ApiOperation,
  words: string,
  fields: readonly CommandField[],
): Example[] {
  const places = parameters.filter((each) => each.in === 'path').map(({ name }) => placeText(name));
  const base = [words, ...places].join(' ');
  if (method === 'GET')
    return [
      [base, 'a table, or names and values'],
      [`${base} --json`, 'for a program'],
    ];
  if (method === 'DELETE') return [[base, 'it is gone']];
  const { nonce: _, resourcePrev: __, did: ___, ...written } = example;
  const needed = fields.filter(({ isRequired }) => isRequired);
  const flags = flagsOf(needed.length > 0 ? needed : fields, written, shortFlagText);
  const line = [base, ...flags].join(' ');
  return [
    [line, 'asks for the passphrase if it needs one, and counts the nonce'],
    [`${base} --input body.json --json`, 'the same from a file, for a program'],
  ];
}

const placeText = (name: string): string => (/did|address/i.test(name) ? 'did:svc:z6Mk…' : kebab(name).toUpperCase());
