/** docs/tutorials/integrator.md, pasted into bash: the programs of each language in a new directory, as a reader has it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { isThere, run } from '../generators/support/tools.js';
import { nodeForSuite } from '../node/support/node.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';

const page = readFileSync('docs/tutorials/integrator.md', 'utf8');
/** Node.js before 22.18 does not run TypeScript; for it, the page names the file extension of JavaScript. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const runsTypes = major > 22 || (major === 22 && minor >= 18);

/** The blocks below a heading up to the next one, as one script, and the output that the page shows. */
function sectionOf(heading: string): { script: string; shows: string } {
  const [, section = ''] = new RegExp(`^#+ ${heading}\\n(.*?)(?=^#+ [A-Z]|$(?![^]))`, 'ms').exec(page) ?? [];
  const blocks = [...section.matchAll(/^```(bash|text)\n(.*?)^```$/gms)];
  const of = (language: string) => blocks.filter(([, name]) => name === language).map(([, , text]) => text!);
  return { script: of('bash').join('\n'), shows: of('text').join('') };
}

const first = sectionOf('Your first escrow, from your own program').script;

describe('The first escrow from your own program', () => {
  const node = nodeForSuite();
  after(tidy);

  /** Runs the first block and those of a language as a reader does, with an empty home directory. */
  async function paste(heading: string, change = (script: string) => script): Promise<string> {
    const home = scratch();
    const { script, shows } = sectionOf(heading);
    expect(script, heading).to.not.equal('');
    const caches = isThere('go', 'version') ? spawnSync('go', ['env', 'GOCACHE'], { encoding: 'utf8' }).stdout : '';
    const env = { HOME: home, SVC_NODE_URL: node().url, GOCACHE: caches.trim(), npm_config_offline: 'true' };
    const variables = Object.entries(isLong ? { ...env, npm_config_offline: 'false' } : env);
    const pasted = ['bash', '-euo', 'pipefail', '-c', `${first}\n${change(script)}`];
    const words = [...variables.map(([name, value]) => `${name}=${value}`), ...pasted];
    const { code, stdout, stderr } = await run('env', words, resolve('.'));
    expect(code, stderr).to.equal(0);
    expect(stdout.endsWith(shows), `${stdout}\n${stderr}`).to.equal(true);
    expect(shows).to.equal('25\n');
    return home;
  }

  it('works in TypeScript, whose types it satisfies', async () => {
    const change = (script: string) => (runsTypes ? script : script.replaceAll('escrow.mts', 'escrow.mjs'));
    const project = join(await paste('TypeScript or JavaScript', change), 'first-escrow');
    const [, program = ''] = /<<'END'\n(.*?)\nEND\n/s.exec(sectionOf('TypeScript or JavaScript').script) ?? [];
    writeFileSync(join(project, 'typed.mts'), program);
    const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', ...types];
    const words = [resolve('node_modules/typescript/bin/tsc'), ...options, 'typed.mts'];
    const checked = await run(process.execPath, words, project);
    expect(checked.stdout).to.equal('');
  });

  (isThere('python3', '--version') ? it : it.skip)('works in Python without a client', async () => {
    await paste('Without a client');
  });

  // Installs packages from a registry.
  if (isLong) {
    (isThere('python3', '-m', 'venv', '-h') ? it : it.skip)('works in Python with the client', async () => {
      await paste('Python');
    });
  }

  (isThere('go', 'version') ? it : it.skip)('works in Go', async () => {
    await paste('Go');
  });
});
