import { expect } from 'chai';
import { Command } from 'commander';
import { everyRoute, network } from '../../../scripts/generate/routes.js';
import { addApi } from '../../../src/cli/api/commands.js';
import { firstCommands } from '../../../src/cli/api/first-commands.js';
import { asWord, commandWords, narrowings } from '../../../src/cli/api/names.js';
import { readOperations } from '../../../src/cli/api/operations.js';
import { version } from '../../../src/core/version.js';
import { openApiOf } from '../../../src/http/openapi/openapi.js';

const program = new Command('svc-node');
addApi(program);

const commandOf = (words: string): Command | undefined =>
  words
    .split(' ')
    .reduce<Command | undefined>((parent, word) => parent?.commands.find((each) => each.name() === word), program);

/** Pages and scripts for browsers, which `svc-node console` opens. */
const isPage = (path: string): boolean => /^\/(docs|console|guide)\b/.test(path);

describe('svc-node and the API', () => {
  const { paths } = openApiOf(everyRoute(), { version, network });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => ({ path, operationId: operationId as string })),
  );

  it('has its own command for every operation of /openapi.json except pages', () => {
    const named = operations.filter(({ path }) => !isPage(path)).map((operation) => commandWords(operation) ?? '');
    for (const words of named) expect(commandOf(words), words).to.not.equal(undefined);
    const narrower = Object.values(narrowings);
    expect(new Set(named).size).to.equal(named.length - narrower.length);
    expect(readOperations().map(({ operationId }) => operationId)).to.deep.equal(
      operations.map(({ operationId }) => operationId),
    );
  });

  it('has a flag for every parameter and every member of a body that is no secret, and none for those', () => {
    for (const operation of readOperations()) {
      const words = commandWords(operation);
      if (words === undefined) continue;
      const command = commandOf(words)!;
      const flags = command.options.map((option) => option.long);
      expect(flags, words)
        .to.include('--json')
        .and.include('--url')
        .and.include('--output')
        .and.not.include('--passphrase');
      const members = Object.entries(operation.body?.properties ?? {}).filter(([, schema]) => !schema.writeOnly);
      const queries = operation.parameters.filter(
        (each) => each.in === 'query' && !['q', 'per_page'].includes(each.name),
      );
      expect(flags.filter((flag) => flag !== '--url').length, words).to.be.at.least(members.length + queries.length);
      const narrowed = operation.operationId in narrowings ? 1 : 0;
      const worded = operation.operationId in asWord ? 1 : 0;
      const places = operation.path.split('{').length - 1;
      expect(command.registeredArguments, words).to.have.length(places + narrowed + worded);
    }
  });

  it('lists one command for each purpose', () => {
    const listed = (group: string): string[] => {
      const command = commandOf(group)!;
      return command
        .createHelp()
        .visibleCommands(command)
        .map((each) => each.name());
    };
    expect(listed('node')).to.not.include.members(['peers']).and.not.include.members(['evidence']);
    expect(listed('admin')).to.not.include.members(['lock']).and.not.include.members(['unlock']);
    const [resolve, review] = ['resolve', 'review'].map((name) =>
      program.commands.filter((group) => group.commands.length > 0 && listed(group.name()).includes(name)),
    );
    expect(resolve?.map((group) => group.name())).to.deep.equal(['dispute']);
    expect(review?.map((group) => group.name())).to.deep.equal(['reputation']);
    for (const words of ['task bids', 'contract disputes', 'up look', 'name list']) {
      expect(commandOf(words), words).to.equal(undefined);
    }
    expect(commandOf('bid list')!.registeredArguments[0]).to.include({ required: false });
  });

  it('shows in the help of each group commands that exist, with options that they have', () => {
    for (const [group, lines] of Object.entries(firstCommands)) {
      expect(commandOf(group)?.commands, group).to.have.length.above(0);
      for (const [line] of lines) {
        const [words = '', ...flags] = line.split(' --');
        const command = commandOf(words.split(' ').slice(0, 2).join(' '));
        expect(command, line).to.not.equal(undefined);
        const known = command!.options.map((option) => option.long);
        for (const flag of flags) expect(known, line).to.include(`--${flag.split(' ')[0]}`);
      }
    }
    const groups = program.commands.filter(({ commands }) => commands.length > 0).map((group) => group.name());
    const local = ['identity', 'api-key', 'peers'];
    expect(groups.filter((group) => !local.includes(group) && !(group in firstCommands))).to.deep.equal([]);
  });

  it('explains options without the addresses of links', () => {
    const texts = readOperations().flatMap((operation) => {
      const words = commandWords(operation);
      return words === undefined ? [] : commandOf(words)!.options.map(({ description }) => description);
    });
    expect(texts.filter((text) => /\]\(/.test(text))).to.deep.equal([]);
  });

  it('teaches every one of them with examples', () => {
    for (const { words, command } of operations.flatMap((operation) => {
      const words = commandWords(operation);
      return words === undefined ? [] : [{ words, command: commandOf(words)! }];
    })) {
      const help: string[] = [];
      command.configureOutput({ writeOut: (text) => void help.push(text) }).outputHelp();
      expect(help.join(''), words)
        .to.include(`Usage: svc-node ${words}`)
        .and.include(`Examples:\n  # `)
        .and.include(`$ svc-node ${words}`);
    }
  });
});
