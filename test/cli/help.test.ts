import { expect } from 'chai';
import { scratch, tidy } from '../support/scratch.js';
import { svcNode } from './support/command.js';
import { runHere } from './support/here.js';

const commands = [
  ['start'],
  ['status'],
  ['doctor'],
  ['backup'],
  ['restore'],
  ['audit'],
  ['migrate'],
  ['verify-proof'],
  ['verify-envelope'],
  ['verify-equivocation'],
  ['console'],
  ['completion'],
  ['chain', 'deploy'],
  ...['create', 'list', 'export', 'import', 'passwd', 'unlock', 'lock'].map((name) => ['identity', name]),
  ...['create', 'list', 'revoke'].map((name) => ['api-key', name]),
  ['escrow', 'create'],
  ...['list', 'add', 'remove', 'mirror', 'keep', 'forget', 'accept', 'evidence'].map((name) => ['peers', name]),
];

describe('svc-node, the command line', () => {
  after(tidy);

  for (const command of commands) {
    it(`teaches ${command.join(' ')} with examples, and how to name data, network and JSON`, async () => {
      const help = await runHere([...command, '--help']);
      expect(help).to.include({ code: 0, stderr: '' });
      expect(help.stdout)
        .to.include(`svc-node ${command.join(' ')}`)
        .and.include('Examples:\n  # ');
      for (const option of ['--data <dir>', '--network <name>', '--json']) expect(help.stdout).to.include(option);
    });
  }

  it('shows what there is when it is asked nothing, which is a mistake', async () => {
    for (const words of [[], ['identity'], ['api-key'], ['chain']]) {
      const end = await runHere(words);
      expect(end).to.include({ code: 2, stdout: '' });
      expect(end.stderr).to.include('Commands:').and.include('Examples:');
    }
  });

  it('explains what it is asked to with 0', async () => {
    for (const [words, says] of [
      [['help'], 'Usage: svc-node [options] [command]'],
      [['help', 'start'], 'Usage: svc-node start '],
      [['help', 'identity'], 'Usage: svc-node identity '],
      [['identity', 'help', 'create'], 'Usage: svc-node identity create '],
    ] as const) {
      const end = await runHere(words);
      expect(end).to.include({ code: 0, stderr: '' });
      expect(end.stdout).to.include(says);
    }
    for (const words of [
      ['help', 'nonsense'],
      ['help', 'escrow', 'nonsense'],
    ]) {
      const end = await runHere(words);
      expect(end).to.include({ code: 2, stdout: '' });
      expect(end.stderr).to.match(/^svc-node: unknown command 'nonsense'\n/);
    }
    for (const [words, near] of [
      [['escrow', 'relese', 'esc-1'], 'release'],
      [['event', 'list', '--limt', '1'], '--limit'],
    ] as const) {
      expect((await runHere(words)).stderr, near).to.include(`Did you mean ${near}?`);
    }
  });

  it('shows the required options of a write in its example, in one line that can be read', async () => {
    const { stdout } = await runHere(['escrow', 'create', '--help']);
    const [, line = ''] = /^ {2}\$ svc-node (escrow create --.*)$/m.exec(stdout) ?? [];
    expect(line).to.include('--beneficiary ').and.include('--amount ').and.include('--release manual');
    expect(line.length, line).to.be.below(120);
  });

  it('does not explain itself in the place of a word that it does not know', async () => {
    const { code, stdout, stderr } = await svcNode(['demo', '--help']);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.match(/^svc-node: unknown command 'demo'\n/);
  });

  it('prints its version', async () => {
    const end = await svcNode(['--version']);
    expect(end).to.include({ code: 0, stderr: '' });
    expect(end.stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  for (const words of [
    ['strat'],
    ['start', 'extra'],
    ['start', '--nonsense'],
    ['start', '--network', 'moonnet'],
    ['backup'],
    ['identity', 'export', 'not-a-did'],
    ['identity', 'create', '--passphrase', 'on the command line'],
    ['api-key', 'create'],
    ['api-key', 'create', '--scope', 'god'],
    ['api-key', 'create', '--scope', 'read', '--expires', 'soon'],
    ['status', '--url', 'nowhere'],
  ]) {
    it(`ends with 2 and a sentence on: ${words.join(' ')}`, async () => {
      const end = await runHere([...words, '--data', scratch()]);
      expect(end).to.include({ code: 2, stdout: '' });
      expect(end.stderr).to.match(/^svc-node: .+\n(\(Did you mean .+\)\n)?(\(--help explains the command\)\n)?$/);
    });
  }

  it('takes the words that npm start puts behind start for a command', async () => {
    const dir = scratch();
    const end = await svcNode(['start', 'identity', 'list', '--data', dir]);
    expect(end.code).to.equal(1);
    expect(end.stderr).to.equal(`svc-node: there is no keystore in ${dir}: is it the right --data?\n`);
  });
});
