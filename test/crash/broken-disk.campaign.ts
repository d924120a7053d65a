/** The disk fails under a real process: the node exits with 70, everything acknowledged is on disk, and it starts again. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { Comparison } from './support/comparison.js';
import { auditOf, NodeProcess } from './support/process.js';
import { Writer } from './support/writer.js';

const fault = 70;
const claims = 5;
const endowment = claims * 100;
const people = 4;
const lanes = 8;

async function writersOn(node: NodeProcess): Promise<Writer[]> {
  const dids: string[] = [];
  const writers: Writer[] = [];
  while (writers.length < people) {
    const writer = await Writer.create(node.client, dids);
    writers.push(writer);
    dids.push(writer.did);
    for (let i = 0; i < claims; i++) expectStatus(await node.client.post('/api/v1/faucet', { did: writer.did }));
  }
  return writers;
}

/** Replies after the failure are 503, or the connection is cut. */
const expectOnlyFaults = (writers: readonly Writer[]) => {
  for (const refused of writers.flatMap((writer) => writer.refused)) expect(refused).to.match(/ 503 /);
};

async function startsAgain(dir: string, writers: readonly Writer[]): Promise<void> {
  const comparison = new Comparison(writers, endowment);
  const node = await NodeProcess.start(dir);
  await comparison.compare(node.client);
  await comparison.compare(node.client);
  expect((await node.stop()).code).to.equal(0);
  expect(await auditOf(dir)).to.include({ ok: true, supply: writers.length * endowment, entries: comparison.events });
}

/** Makes these system calls of the process fail. Resolves once the kernel does so. */
async function sabotage(pid: number, injection: readonly string[]): Promise<ChildProcess> {
  const tracer = spawn('strace', ['-f', '-p', String(pid), '-o', '/dev/null', ...injection]);
  await new Promise<void>((attached, reject) => {
    tracer.stderr.on('data', (text: Buffer) => text.includes('attached') && attached());
    tracer.on('error', reject).on('close', () => reject(new Error('strace ended')));
  });
  return tracer;
}

const roomyBytes = 512 * 1024 * 1024;

const usedBytes = (dir: string): number => {
  const { blocks, bfree, bsize } = statfsSync(dir);
  return (blocks - bfree) * bsize;
};

/** False if more is in use. */
const resize = (dir: string, bytes: number): boolean =>
  spawnSync('mount', ['-o', `remount,size=${bytes}`, dir]).status === 0;

const canTrace = (): boolean => {
  const { error, status } = spawnSync('strace', ['-o', '/dev/null', 'true']);
  return !error && status === 0;
};

describe('a disk that fails under a process', () => {
  after(tidy);

  for (const [name, ...injection] of [
    ['fsync', '-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=EIO'],
    ['write', '-e', 'trace=pwrite64', '-e', 'inject=pwrite64:error=ENOSPC'],
  ] as const) {
    it(`ends it with ${fault} when ${name} fails, and none of many queued writes is acknowledged`, async function () {
      if (!canTrace()) {
        process.stdout.write('      skipped: strace, which makes system calls fail, cannot be used here\n');
        this.skip();
      }
      const node = await NodeProcess.start(scratch());
      const writers = await writersOn(node);
      // Some writes succeed first. The writers stop at the same number, so that all later writes come after the failure.
      await Promise.all(writers.map((writer) => writer.run(node.client, lanes, () => writer.asked.length >= 20)));
      expect(writers.flatMap(({ refused }) => refused)).to.deep.equal([]);
      const acknowledged = writers.map((writer) => writer.acknowledged.length);
      const tracer = await sabotage(node.pid, injection);
      await Promise.all(writers.map((writer) => writer.run(node.client, lanes, () => writer.asked.length >= 200)));
      expect(await node.ended).to.include({ code: fault });
      expect(writers.map((writer) => writer.acknowledged.length)).to.deep.equal(acknowledged);
      expectOnlyFaults(writers);
      tracer.kill();
      await startsAgain(node.dir, writers);
    });
  }

  describe('on its own file system', () => {
    let mounted: string | undefined;
    after(async () => {
      if (mounted) spawnSync('umount', ['-l', mounted]);
      await tidy();
    });

    it(`ends it with ${fault} when the disk is full, and it starts again once there is room`, async function () {
      const dir = scratch();
      const options = `size=${roomyBytes}`;
      const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', dir], { encoding: 'utf8' });
      if (status !== 0) {
        process.stdout.write(`      skipped: a small file system cannot be mounted here (${stderr?.trim()})\n`);
        this.skip();
      }
      mounted = dir;
      const data = join(dir, 'data');
      const node = await NodeProcess.start(data);
      const writers: Writer[] = [];
      let hasEnded = false;
      void node.ended.then(() => {
        hasEnded = true;
      });
      const tells = (state: (ready: { status: string; reasons?: string[] }) => unknown) =>
        until('the node has ended, or tells of its disk', async () => {
          const { body } = await node.client.get('/readyz').catch(() => ({ body: undefined }));
          return hasEnded || (body !== undefined && state(body as { status: string; reasons?: string[] }));
        });
      // The disk is full from one moment to the next while writes are under way, so that a write meets it, and not the node's
      // look at the free space, after which it refuses writes. If that was first nevertheless, others write once there is room.
      for (;;) {
        await tells(({ status }) => status === 'ready');
        if (hasEnded) break;
        const more = await writersOn(node);
        writers.push(...more);
        const running = more.map((writer) => writer.run(node.client, lanes));
        await until('all write', async () => more.every(({ acknowledged }) => acknowledged.length > 0));
        while (!resize(dir, usedBytes(dir)));
        await Promise.all(running);
        await tells(({ reasons }) => reasons?.includes('the disk is nearly full'));
        if (!hasEnded) resize(dir, roomyBytes);
      }
      expect(await node.ended).to.include({ code: fault });
      expectOnlyFaults(writers);
      resize(dir, roomyBytes);
      await startsAgain(data, writers);
    });
  });
});
