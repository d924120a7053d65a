import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { scratch, tidy } from '../../support/scratch.js';
import { runHere } from '../support/here.js';

/** What a shell offers for these words, the last of which is incomplete. The shell itself completes file names. */
type Offers = (script: string, lines: readonly (readonly string[])[]) => readonly (readonly string[])[];

const sorted = (text: string): string[] => [...new Set(text.split('\n').filter(Boolean))].sort();

const inBash: Offers = (script, lines) =>
  lines.map((words) =>
    sorted(
      execFileSync(
        'bash',
        [
          '-euo',
          'pipefail',
          '-c',
          `${script}
COMP_WORDS=(svc-node ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_svc_node
printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ),
    ),
  );

const inFish: Offers = (script, lines) => {
  const home = scratch();
  const dir = join(home, 'fish', 'completions');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'svc-node.fish'), script);
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  return lines.map((words) => {
    const asking = `function svc-node; end; complete -C 'svc-node ${words.join(' ')}'`;
    const { stdout, stderr } = spawnSync('fish', ['-c', asking], { encoding: 'utf8', env });
    expect(stderr).to.equal('');
    return sorted(stdout.replace(/\t.*$/gm, ''));
  });
};

/**
 * A zsh on a pseudo-terminal, in which TAB is pressed after each line. A replaced `compadd`, which receives every completion,
 * records the matches.
 */
const zshDriver = String.raw`
zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal "PS1=''; TERM=dumb; HOME=$1; fpath=($1 \$fpath); source $1/setup"
zpty -r terminal said '*the setup is done*'
for line in "\${(@f)$(<$1/lines)}"; do
  zpty -w -n terminal "$line"$'\t'
  zpty -r terminal said '*the offer is made*'
done
zpty -d terminal
`.replaceAll('\\$', '$');
const zshSetup = `
autoload -U compinit; compinit -u -D; zmodload zsh/complist
svc-node() { : }
compadd() {
  local -a hits
  if [[ " $* " != *" -"[OAD]" "* ]]; then builtin compadd -A hits "$@"; print -rl -- $hits >> $HOME/offers; fi
  builtin compadd "$@"
}
press() { zle complete-word; BUFFER=''; print -r -- '--' >> $HOME/offers; print the offer is made }
zle -N press; bindkey '^I' press
print the setup is done
`;

const inZsh: Offers = (script, lines) => {
  const home = scratch();
  for (const [name, text] of [
    ['_svc-node', script],
    ['setup', zshSetup],
    ['driver', zshDriver],
    ['lines', lines.map((words) => `svc-node ${words.join(' ')}`).join('\n')],
    ['offers', ''],
  ] as const)
    writeFileSync(join(home, name), text);
  execFileSync('zsh', ['-f', join(home, 'driver'), home], { timeout: 30_000 });
  return readFileSync(join(home, 'offers'), 'utf8').split('--\n').slice(0, lines.length).map(sorted);
};

const shells: { readonly [shell: string]: Offers } = { bash: inBash, zsh: inZsh, fish: inFish };

describe('svc-node completion', () => {
  after(tidy);

  for (const [shell, offers] of Object.entries(shells)) {
    const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
    (isThere ? it : it.skip)(`completes commands, options and what they take in ${shell}`, async () => {
      const { stdout: script, code } = await runHere(['completion', shell]);
      expect(code).to.equal(0);
      const [top, ...others] = offers(script, [
        [''],
        ['esc'],
        ['escrow', 're'],
        ['escrow', 'fund', 'esc-1', '--am'],
        ['--data', '/tmp', 'escrow', 'fu'],
        ['identity', 'create-'],
        ['escrow', 'create', '--pass'],
        ['api-key', 'create', '--scope', ''],
        ['wallet', 'transactions', 'x', '--type', 'se'],
        ['completion', 'f'],
      ]);
      expect(top).to.include.members(['start', 'escrow', 'transfer', 'completion']);
      expect(others).to.deep.equal([
        ['escrow'],
        ['refund', 'release'],
        ['--amount'],
        ['fund'],
        ['create-key'],
        ['--passphrase-file'],
        ['admin', 'read', 'write'],
        ['sent'],
        ['fish'],
      ]);
    });
  }

  it('has a script for no other shell', async () => {
    expect(await runHere(['completion', 'tcsh'])).to.include({ code: 2, stdout: '' });
  });
});
