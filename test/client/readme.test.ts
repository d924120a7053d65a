import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const main = fileURLToPath(new URL('../../../bin/svc-node.mjs', import.meta.url));
const divider = '=== next block ===';

interface Block {
  readonly script: string;
  /** Lines of the output, in this order, others between them; `…` stands for anything. */
  readonly shows: readonly string[];
}

/** What is pasted into one shell, one after the other. */
const headings = ['A five-minute tour', 'A contract, and a dispute about it'];

/** The blocks of the tour, each with what the README says that it shows. */
function tour(): Block[] {
  const readme = readFileSync('README.md', 'utf8');
  const sections = headings.map((heading) => {
    const [, section] = new RegExp(`\\n## ${heading}\\n(.*?)\\n## `, 's').exec(readme) ?? [];
    return section ?? expect.fail(`no section ${heading}`);
  });
  return [...sections.join('\n').matchAll(/```bash\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs)].map(
    ([, script = '', shows = '']) => ({
      script,
      shows: shows.split('\n').filter((line) => line !== ''),
    }),
  );
}

const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

function expectShown({ script, shows }: Block, output: string): void {
  const lines = output.split(/\r?\n/).map((line) => line.trim());
  for (const line of shows) {
    const at = lines.findIndex((each) => patternOf(line).test(each));
    expect(at, `«${line}» in what this block prints next:\n${script}\n${lines.join('\n')}`).to.be.at.least(0);
    lines.splice(0, at + 1);
  }
}

describe('README: the links', () => {
  it('lead to files that are there', () => {
    const links = [...readFileSync('README.md', 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !existsSync(link))).to.deep.equal([]);
  });
});

describe('README: the tour', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-test-readme-'));
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')));
  let node: ChildProcess;
  let url: string;

  before(async () => {
    const words = ['start', '--port', '0', '--data', dir, '--json', '--log-level', 'warn'];
    node = spawn(process.execPath, [main, ...words], { env: own, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: node.stdout! }), 'line');
    ({ url } = JSON.parse(String(line)) as { url: string });
  });

  after(async () => {
    const ended = once(node, 'exit');
    node.kill('SIGTERM');
    const [exitCode] = await ended;
    rmSync(dir, { recursive: true, force: true });
    expect(exitCode, 'exit code of the node').to.equal(0);
  });

  it('does what it says, pasted block by block into bash', async () => {
    const blocks = tour();
    expect(blocks.length, 'blocks of the tour').to.be.above(11);
    const script = blocks.map((block) => block.script).join(`\necho '${divider}'\n`);
    const bash = spawn('bash', ['-euo', 'pipefail'], {
      env: { ...own, API: `${url}/api/v1`, SVC_DATA_DIR: dir },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    let complaints = '';
    bash.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    bash.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString('utf8');
    });
    bash.stdin.end(script);
    await once(bash, 'close');
    expect(bash.exitCode, `${output}\n${complaints}`).to.equal(0);
    const outputs = output.split(`${divider}\n`);
    blocks.forEach((block, index) => {
      expectShown(block, outputs[index] ?? '');
    });
  }).timeout(60_000);
});
