import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { filesIn } from '../architecture/sources.js';
import { npxIn } from '../cli/support/npx.js';

const main = fileURLToPath(new URL('../../../bin/svc-node.mjs', import.meta.url));
const divider = '=== next block ===';

interface Block {
  readonly script: string;
  /** Lines of the output in this order, with others between them; `…` stands for any text. */
  readonly shows: readonly string[];
}

/** Documents whose code blocks are pasted into one shell each, in order, with the least number of blocks. */
const pasted: { readonly [page: string]: number } = {
  'README.md': 4,
  'docs/escrows.md': 6,
  'docs/tutorials/api.md': 12,
  'docs/tutorials/arbiter.md': 4,
  'docs/tutorials/auditor.md': 3,
  'docs/tutorials/buyer.md': 5,
  'docs/tutorials/integrator.md': 8,
  'docs/tutorials/operator.md': 3,
  'docs/tutorials/seller.md': 4,
  'docs/wallets.md': 9,
};

/** The blocks of a page, each with the output that the page shows for it. */
const blocksOf = (page: string): Block[] =>
  [...readFileSync(page, 'utf8').matchAll(/```bash\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs)].map(
    ([, script = '', shows = '']) => ({ script, shows: shows.split('\n').filter((line) => line !== '') }),
  );

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

/** Kills a process group. @returns whether it still had processes */
function endGroup(leader: number): boolean {
  try {
    return process.kill(-leader, 'SIGKILL');
  } catch {
    return false;
  }
}

const firstEscrow = 'docs/tutorials/integrator.md';

describe('Documents', () => {
  it('lead to files that are there', () => {
    const isLinked = (page: string) => !/^docs\/generated\//.test(page);
    const pages = ['README.md', ...filesIn('docs', '.md').filter(isLinked)];
    const broken = pages.flatMap((page) => {
      const text = readFileSync(page, 'utf8').replace(/```.*?```/gs, '');
      const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]+)/g)].map(([, link]) => link!);
      return links.filter((link) => !existsSync(join(dirname(page), link))).map((link) => `${page}: ${link}`);
    });
    expect(broken).to.deep.equal([]);
  });

  it('are all pasted that have blocks of bash, and the README is short', () => {
    const pages = ['README.md', ...filesIn('docs', '.md')].filter((page) => blocksOf(page).length > 0);
    expect(pages.sort()).to.deep.equal(Object.keys(pasted).sort());
    expect(readFileSync('README.md').length).to.be.below(10_240);
  });
});

describe('Tutorials', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-test-tutorials-'));
  const work = join(dir, 'work');
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')));
  let node: ChildProcess;
  let env: NodeJS.ProcessEnv;
  let npx: Awaited<ReturnType<typeof npxIn>>;

  before(async () => {
    const words = ['start', '--port', '0', '--data', dir, '--json', '--log-level', 'warn'];
    const quick = { ...own, SVC_CHAIN: 'none' };
    node = spawn(process.execPath, [main, ...words], { env: quick, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: node.stdout! }), 'line');
    const { url } = JSON.parse(String(line)) as { url: string };
    mkdirSync(work);
    npx = await npxIn(dir);
    env = {
      ...{ ...own, API: `${url}/api/v1`, SVC_DATA_DIR: dir, SVC_NODE_PREFERENCES: join(dir, 'cli.json') },
      PATH: `${npx.bin}:${own.PATH}`,
    };
  });

  after(async () => {
    npx.close();
    const ended = once(node, 'exit');
    node.kill('SIGTERM');
    const [exitCode] = await ended;
    rmSync(dir, { recursive: true, force: true });
    expect(exitCode, 'exit code of the node').to.equal(0);
  });

  /** @returns standard output; on failure also standard error */
  async function run(command: string, args: readonly string[], input: string, more = {}): Promise<string> {
    const child = spawn(command, args, {
      env: { ...env, ...more },
      cwd: work,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let complaints = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString('utf8');
    });
    child.stdin.end(input);
    await once(child, 'close');
    const leavesProcesses = endGroup(child.pid!);
    expect(child.exitCode, `${output}\n${complaints}`).to.equal(0);
    expect(leavesProcesses, 'whether processes are left behind').to.equal(false);
    return output;
  }

  for (const [page, least] of Object.entries(pasted)) {
    if (page === firstEscrow) continue; // its programs need other programs: first-escrow.test.ts
    it(`${page} does what it says, pasted block by block into bash`, async () => {
      const blocks = blocksOf(page);
      expect(blocks.length, 'blocks of the page').to.be.at.least(least);
      // The commands of the first page are processes, as for its readers.
      const apart = page === 'README.md' ? { APART: '1' } : {};
      const script = blocks.map((block) => block.script).join(`\necho '${divider}'\n`);
      const outputs = (await run('bash', ['-euo', 'pipefail'], script, apart)).split(`${divider}\n`);
      blocks.forEach((block, index) => {
        expectShown(block, outputs[index] ?? '');
      });
    });
  }

  it('README.md has a program that runs as it is printed', async () => {
    const [, text = '', shows] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
    const here = text
      .replace('@svc-node/client', pathToFileURL(resolve('packages/client/dist/index.js')).href)
      .replace("'http://127.0.0.1:9528'", 'process.env.API.slice(0, -7)');
    expect(await run(process.execPath, ['--input-type=module', '-'], here)).to.equal(shows);
  });
});
