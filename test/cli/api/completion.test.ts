import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { svcNode, tidy } from '../support/command.js';

/** What bash would offer behind these words. */
function offered(script: string, words: readonly string[]): string[] {
  const asking = `${script}
COMP_WORDS=(svc-node ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_svc_node
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-euo', 'pipefail', '-c', asking], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

describe('svc-node completion', () => {
  after(tidy);

  it('completes commands and options in bash', async () => {
    const { stdout: script, code } = await svcNode(['completion', 'bash']);
    expect(code).to.equal(0);
    expect(offered(script, [''])).to.include.members(['start', 'escrow', 'transfer', 'completion']);
    expect(offered(script, ['esc'])).to.deep.equal(['escrow']);
    expect(offered(script, ['escrow', 're'])).to.deep.equal(['release', 'refund']);
    expect(offered(script, ['escrow', 'fund', 'esc-1', '--am'])).to.deep.equal(['--amount']);
    expect(offered(script, ['identity', 'c'])).to.include.members(['create', 'create-key']);
    expect(offered(script, ['escrow', 'create', '--pass'])).to.deep.equal(['--passphrase-file']);
  });

  it('has the same for zsh and fish, and no other shell', async () => {
    const zsh = (await svcNode(['completion', 'zsh'])).stdout;
    expect(zsh)
      .to.match(/^#compdef svc-node\n/)
      .and.include("'escrow') commands=('create:Create an escrow");
    const fish = (await svcNode(['completion', 'fish'])).stdout;
    expect(fish).to.include(`complete -c svc-node -n "__svc_node_at 'escrow'" -f -a 'create' -d '`);
    for (const script of [zsh, fish]) expect(script.match(/'/g)!.length % 2, 'quotes').to.equal(0);
    expect(await svcNode(['completion', 'tcsh'])).to.include({ code: 2, stdout: '' });
  });
});
