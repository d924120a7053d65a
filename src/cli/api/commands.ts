/** A command for each operation of the API: arguments from its path, flags from its schema, examples from its example. */
import { type Command, Option } from 'commander';
import { withExamples } from '../help.js';
import { withCommonOptions } from '../settings.js';
import { addFields, bodyFields, type CommandField, queryFields } from './fields.js';
import { groupOf, kebab, wordsOf } from './names.js';
import { type ApiOperation, readOperations } from './operations.js';

/** @param only the group whose commands are added; absent: all. Other groups are added by name only. */
export function addApi(program: Command, only?: string): void {
  for (const operation of readOperations()) {
    const words = wordsOf(operation);
    if (words === undefined) continue;
    const [group = '', name] = words.split(' ');
    if (name === undefined) addOperation(program, operation, words).helpGroup(groupOf(group).heading);
    else {
      const parent = groupIn(program, group);
      if (only === undefined || only === group) addOperation(parent, operation, words);
    }
  }
}

function groupIn(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  if (known) return known;
  const { says, heading } = groupOf(name);
  const group = program.command(name).description(says).helpGroup(heading);
  return withExamples(group, [`help ${name}`, 'what there is'], [`${name} --help`, 'the same']);
}

function addOperation(parent: Command, operation: ApiOperation, words: string): Command {
  const [group = '', name = group] = words.split(' ');
  const command = parent.command(name).description(operation.summary);
  const places = operation.parameters.filter((each) => each.in === 'path');
  for (const place of places) command.argument(`<${kebab(place.name)}>`, place.description ?? '');
  const fields = operation.method === 'GET' ? queryFields(operation) : bodyFields(operation, group);
  addFields(command, fields);
  addNodeOptions(command, operation);
  command.action(async (...given: unknown[]) => {
    const { perform } = await import('./request.js');
    await perform({
      operation,
      words,
      fields,
      places: given.slice(0, places.length) as string[],
      options: command.opts(),
    });
  });
  return withExamples(command, ...examplesOf(operation, words, fields));
}

function addNodeOptions(command: Command, { method, body, parameters }: ApiOperation): void {
  command.optionsGroup('About the node:');
  command
    .option('--url <url>', 'root of its API (SVC_NODE_URL); without it the node that runs on the data directory')
    .option(
      '--key <key>',
      'API key, if the node asks for one; SVC_NODE_KEY is safer, because other users cannot read it',
    )
    .option('--key-file <file>', 'file whose first line is the API key (SVC_NODE_KEY_FILE)')
    .option('--timeout <seconds>', 'how long to wait for each answer');
  withCommonOptions(command);
  if (method === 'POST') {
    command.option('--input <file>', 'the whole body as JSON, or a part of it; - reads standard input; flags win');
    command.option('--idempotency-key <text>', 'stands for this one write: sent again, it happens once');
  }
  if (body?.properties?.passphrase) {
    command.addOption(
      new Option(
        '--passphrase-file <file>',
        'its first line unlocks the key (SVC_PASSPHRASE, SVC_PASSPHRASE_FILE, or a prompt)',
      ),
    );
  }
  if (parameters.some(({ name }) => name === 'after') && parameters.some(({ name }) => name === 'limit')) {
    command.option('--all', 'every page, up to the end');
  }
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
      [base, 'for people'],
      [`${base} --json`, 'for a program'],
    ];
  if (method === 'DELETE') return [[base, 'it is gone']];
  const flags = fields.flatMap(({ name, form, option }) => {
    const value = example[name];
    if (value === undefined || name === 'nonce' || name === 'resourcePrev') return [];
    if (form === 'boolean') return [`--${value ? '' : 'no-'}${option.name()}`];
    return [`--${option.name()} ${flagText(value)}`];
  });
  const line = [base, ...flags].join(' ');
  return [
    [line, 'asks for the passphrase where one is needed, and counts the nonce by itself'],
    [`${base} --input body.json --json`, 'the same from a file, for a program'],
  ];
}

const placeText = (name: string): string => (/did|address/i.test(name) ? 'did:svc:z6Mk…' : kebab(name).toUpperCase());

function flagText(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return quoted(value.join(','));
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const quoted = (text: string): string => {
  const short = text.replace(/^(did:svc:z6Mk)\w+$/, '$1…');
  return /^[\w.:,…/-]+$/.test(short) ? short : `'${short.replaceAll("'", "'\\''")}'`;
};
