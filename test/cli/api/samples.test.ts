/** The samples of the API page: each command line is one that the command tree takes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import { addApi } from '../../../src/cli/api/commands.js';
import { commandWords } from '../../../src/cli/api/names.js';
import { readOperations } from '../../../src/cli/api/operations.js';

const samples = JSON.parse(readFileSync(join('docs', 'generated', 'samples.json'), 'utf8')) as {
  readonly [operationId: string]: { readonly command: string };
};

/** As a shell splits it: words, and texts in single quotes. */
const split = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'/g, '$1').replaceAll("\\'", "'"),
  );

/** Parses a line with the real command tree, and only notes what is called. */
function parsed(words: readonly string[]): { name: string; options: object; places: readonly string[] } {
  const program = new Command('svc-node').exitOverride().enablePositionalOptions();
  addApi(program, { only: words[0] });
  let called: { name: string; options: object; places: readonly string[] } | undefined;
  const each = (command: Command, name: string): void => {
    command.exitOverride().configureOutput({ writeErr: () => {} });
    if (command.commands.length === 0) {
      command.action(() => {
        called = { name, options: command.opts(), places: command.args };
      });
    }
    for (const inner of command.commands) each(inner, `${name} ${inner.name()}`.trim());
  };
  each(program, '');
  program.parse(words, { from: 'user' });
  return called ?? expect.fail(`${words.join(' ')} calls nothing`);
}

describe('svc-node, samples of the API page', () => {
  it('are taken by the command of their operation', () => {
    for (const operation of readOperations()) {
      const words = commandWords(operation);
      if (words === undefined) continue;
      const { command } = samples[operation.operationId]!;
      const [program, ...line] = split(command);
      expect(program).to.equal('svc-node');
      const { name, options, places } = parsed(line);
      expect(name, command).to.equal(words);
      expect(places, command).to.have.length(operation.path.split('{').length - 1);
      const own = (operation.body?.required ?? []).filter(
        (member) => !['did', 'passphrase', 'nonce', 'resourcePrev'].includes(member),
      );
      expect(Object.keys(options).length, command).to.be.at.least(
        own.filter((member) => !operation.body?.properties?.[member]?.writeOnly).length,
      );
    }
  });

  it('are refused where a flag or a command does not exist', () => {
    expect(() => parsed(['transfer', '--nonsense', '1'])).to.throw();
    expect(() => parsed(['escrow', 'nonsense'])).to.throw();
  });
});
