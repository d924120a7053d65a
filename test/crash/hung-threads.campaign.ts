/** A thread hangs: the node reports it and exits, so that its supervisor restarts it. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { runningThreads } from '../../src/core/threads.js';
import { inThread } from '../../src/node/audit-job.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { json, svcNode } from '../cli/support/command.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { signer } from '../world/people.js';
import { type Ended, NodeProcess } from './support/process.js';

const main = 0;
/** Id of the first thread that a node starts. */
const writer = 1;

interface Hung extends Ended {
  /** The last reply of /readyz. */
  readonly lastWords: string;
}

async function hang(thread: number, how: 'loop' | 'native'): Promise<Hung> {
  const dir = scratch();
  const file = join(dir, 'hang');
  const preload = new URL('./support/hang.js', import.meta.url).href;
  const variables = { SVC_TEST_HANG: file, NODE_OPTIONS: `--import=${preload}` };
  const node = await NodeProcess.start(join(dir, 'data'), [], variables);
  writeFileSync(`${file}.new`, `${thread} ${how}`);
  renameSync(`${file}.new`, file);
  let lastWords = '';
  const ask = async (): Promise<void> => {
    const reply = await fetch(`${node.client.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    );
    if (reply?.status === 503) lastWords = await reply.text().catch(() => '');
  };
  let over = false;
  const ended = node.ended.finally(() => {
    over = true;
  });
  while (!over) await Promise.all([ask(), pause(realEnvironment, 100)]);
  return { ...(await ended), lastWords };
}

interface AuditsSaid {
  readonly running: unknown;
  readonly last: { readonly status: string; readonly note: string } | null;
}

async function hangAudit(): Promise<{ readonly audits: AuditsSaid; readonly ready: number } & Ended> {
  const dir = scratch();
  const file = join(dir, 'hang');
  writeFileSync(file, 'audit loop');
  const preload = new URL('./support/hang.js', import.meta.url).href;
  const node = await NodeProcess.start(join(dir, 'data'), [], {
    SVC_TEST_HANG: file,
    NODE_OPTIONS: `--import=${preload}`,
  });
  const url = `${node.client.url}/api/v1/audit`;
  const { key } = json<{ key: string }>(
    await svcNode(['api-key', 'create', '--scope', 'admin', '--json', '--data', join(dir, 'data')]),
  );
  expect((await fetch(url, { method: 'POST', headers: { 'X-Api-Key': key } })).status).to.equal(201);
  const said = async () => (await (await fetch(url)).json()) as AuditsSaid;
  while ((await said()).running) await pause(realEnvironment, 200);
  const { status } = await fetch(`${node.client.url}/readyz`);
  return { audits: await said(), ready: status, ...(await node.stop()) };
}

describe('a thread that does not answer for 10 s', () => {
  after(tidy);

  it('ends the process: the writer, the event loop, and what nothing but a signal ends', async () => {
    const [thread, loop, native] = await Promise.all([hang(writer, 'loop'), hang(main, 'loop'), hang(main, 'native')]);
    expect(thread).to.include({ code: 70, signal: null });
    expect(thread.stderr).to.match(/"thread":"store-writer".*has not answered for 10 s/);
    expect(thread.lastWords).to.include('the thread store-writer does not answer');
    expect(loop).to.include({ code: 70, signal: null });
    expect(loop.stderr).to.match(/the event loop has been blocked for 10 s/);
    expect(native).to.include({ code: null, signal: 'SIGKILL' });
    expect(native.stderr).to.match(/the event loop has been blocked for 10 s/);
  });

  it('is ended alone where no request waits for it: an audit', async () => {
    const { audits, ready, code, stderr } = await hangAudit();
    expect(audits.last).to.include({ status: 'unfinished', note: 'the audit was interrupted' });
    expect([ready, code]).to.deep.equal([200, 0]);
    expect(stderr).to.match(/"thread":"audit".*has not answered for 10 s: it is stopped, and the node continues/);
  });

  it('an audit beats with every entry, although its event loop does not turn', async () => {
    const dir = scratch();
    const node = await NodeProcess.start(dir);
    const entries = 60;
    for (let i = 0; i < entries; i++) {
      const made = await fetch(`${node.client.url}/api/v1/identities`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ passphrase: 'correct horse battery staple' }),
      });
      const { did } = (await made.json()) as { did: string };
      await fetch(`${node.client.url}/api/v1/faucet`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ did }),
      });
    }
    await node.stop();
    const job = inThread(
      { store: 'embedded', dataDir: dir, network: 'devnet' },
      signer('node'),
    )({
      ...{ chain: undefined, isFull: false, progress: () => {} },
    });
    const [thread] = runningThreads();
    const report = await job.report;
    expect(report.entries).to.be.at.least(entries);
    expect(Atomics.load(thread!.pulse, 0)).to.be.greaterThan(report.entries);
  });

  it('each thread of a store has a pulse', async () => {
    const store = await SqliteStore.open({ dir: scratch() });
    try {
      const pulses = () => runningThreads().map(({ pulse }) => Atomics.load(pulse, 0));
      await store.census();
      const names = runningThreads().map(({ name }) => name);
      expect(new Set(names)).to.deep.equal(new Set(['store-writer', 'store-reader']));
      const before = pulses();
      await until('each has beaten', () => pulses().every((beats, index) => beats > before[index]!));
    } finally {
      await store.close();
    }
    expect(runningThreads()).to.deep.equal([]);
    expect(process.exitCode).to.equal(undefined);
  });
});
