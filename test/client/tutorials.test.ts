import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { filesIn } from '../architecture/sources.js';

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

/** Replaces `npx svc-node`, because npm takes longer than the command. */
function npxIn(dir: string): string {
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  return bin;
}

/** Kills a process group. @returns whether it still had processes */
function endGroup(leader: number): boolean {
  try {
    return process.kill(-leader, 'SIGKILL');
  } catch {
    return false;
  }
}

interface JournalEntry {
  readonly event: { nonce: number; readonly issuer: string; readonly sig: string };
  readonly moves: { amount: number }[];
  readonly payload?: object;
}

interface Released {
  readonly events: readonly JournalEntry[];
}

const firstEscrow = 'docs/tutorials/integrator.md';
const verifier = resolve('examples/verifier/verifier.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const hasCryptography = hasPython && spawnSync('python3', ['-c', 'import cryptography']).status === 0;

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

  before(async () => {
    const words = ['start', '--port', '0', '--data', dir, '--json', '--log-level', 'warn'];
    const quick = { ...own, SVC_CHAIN: 'none' };
    node = spawn(process.execPath, [main, ...words], { env: quick, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: node.stdout! }), 'line');
    const { url } = JSON.parse(String(line)) as { url: string };
    mkdirSync(work);
    env = {
      ...{ ...own, API: `${url}/api/v1`, SVC_DATA_DIR: dir, SVC_NODE_PREFERENCES: join(dir, 'cli.json') },
      PATH: `${npxIn(dir)}:${own.PATH}`,
    };
  });

  after(async () => {
    const ended = once(node, 'exit');
    node.kill('SIGTERM');
    const [exitCode] = await ended;
    rmSync(dir, { recursive: true, force: true });
    expect(exitCode, 'exit code of the node').to.equal(0);
  });

  /** @returns standard output; on failure also standard error */
  async function run(command: string, args: readonly string[], input: string): Promise<string> {
    const child = spawn(command, args, { env, cwd: work, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
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
      const script = blocks.map((block) => block.script).join(`\necho '${divider}'\n`);
      const outputs = (await run('bash', ['-euo', 'pipefail'], script)).split(`${divider}\n`);
      blocks.forEach((block, index) => {
        expectShown(block, outputs[index] ?? '');
      });
    }).timeout(240_000);
  }

  (hasCryptography ? it : it.skip)(
    'leave a journal that a verifier written from docs/auditing.md takes, and no changed one',
    async () => {
      const api = env.API!;
      // Evidence is confidential, so it is read as Ben of docs/escrows.md, who has claimed four escrows.
      const page = async () => (await (await fetch(`${api}/events?limit=100&type=escrow.released`)).json()) as Released;
      const { events } = await page();
      const hidden = events.filter(({ payload }) => payload === undefined);
      const issuers = hidden.map(({ event }) => event.issuer);
      const did = issuers.find((issuer, index) => issuers.indexOf(issuer) < index);
      expect(did, 'who has released twice with evidence').to.be.a('string');
      const made = await fetch(`${api}/identities/${did}/api-keys`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ did, passphrase: 'correct horse battery staple', scope: 'read', label: 'audit' }),
      });
      const { key } = (await made.json()) as { key: string };
      const verify = (...more: string[]) =>
        spawnSync('python3', [verifier, api.slice(0, -7), '--key', key, ...more], { encoding: 'utf8' });
      const whole = verify();
      expect(whole.status, whole.stdout + whole.stderr).to.equal(0);
      const counts = JSON.parse(whole.stdout) as { entries: number; payloads: number; 'release rules': number };
      expect(counts.entries).to.be.at.least(12);
      expect(counts['release rules'], 'manual, time, hash and signature').to.be.at.least(4);

      const first = (await (await fetch(`${api}/events?limit=12`)).json()) as { events: JournalEntry[] };
      const changed = (change: (entries: JournalEntry[]) => void): string => {
        const entries = structuredClone(first.events);
        change(entries);
        const file = join(dir, 'changed.jsonl');
        writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        const { status, stdout } = verify('--file', file);
        expect(status).to.equal(1);
        return stdout;
      };
      const at = first.events.findIndex(({ moves }) => moves.length > 0);
      expect(changed((entries) => entries.splice(at, 1))).to.include('Violation: prevEntry');
      expect(changed((entries) => entries[at]!.moves[0]!.amount++)).to.include('Violation: entryHash');
      expect(changed((entries) => entries[at]!.event.nonce++)).to.include('Violation: event.hash');
      const other = first.events[0]!.event.sig;
      expect(changed((entries) => Object.assign(entries[at]!.event, { sig: other }))).to.include(
        'Violation: event.sig',
      );
      expect(changed((entries) => Object.assign(entries[at]!, { salt: '00', payload: {} }))).to.include('payloadHash');
    },
  ).timeout(120_000);

  it('README.md has a program that runs as it is printed', async () => {
    const [, text = '', shows] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
    const here = text
      .replace('@svc-node/client', pathToFileURL(resolve('packages/client/dist/index.js')).href)
      .replace("'http://127.0.0.1:9528'", 'process.env.API.slice(0, -7)');
    expect(await run(process.execPath, ['--input-type=module', '-'], here)).to.equal(shows);
  }).timeout(120_000);
});
