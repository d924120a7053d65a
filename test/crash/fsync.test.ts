/** Observed at the kernel: a successful fsync of the write-ahead log comes between an event's bytes and its 2xx. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { NodeProcess } from './support/process.js';
import { segmentsIn } from './support/segments.js';
import { flawOfSegments, flawOfWay } from './support/trace.js';

const passphrase = 'correct horse battery staple';
const calls = 'openat,fsync,fdatasync,pwrite64,pwritev,write,writev,sendto,sendmsg';
const markers = Array.from({ length: 5 }, (_, i) => `marker-${i}-of-the-fsync-proof`);

/** Why strace cannot be used here; undefined if it can. */
function whyNot(): string | undefined {
  const { error, status, stderr } = spawnSync('strace', ['-f', '-y', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (error) return `strace cannot be run (${error.message})`;
  return status === 0 ? undefined : `tracing is forbidden (${stderr.trim()})`;
}

describe('every 2xx comes after the fsync', () => {
  let trace = '';

  before(async function () {
    const reason = whyNot();
    if (reason) {
      process.stdout.write(`    skipped, nothing is proved here: ${reason}\n`);
      this.skip();
    }
    const file = join(scratch(), 'trace');
    // The log's pages are 4 KiB, so `-s 5000` shows each of them whole. `-y` names the file of each descriptor.
    const tracer = ['strace', '-f', '--seccomp-bpf', '-tt', '-y', '-s', '5000', '-e', `trace=${calls}`, '-o', file];
    const { client, stop } = await tracedNode(tracer);
    const [from, to] = [await identity(client), await identity(client)];
    expectStatus(await client.post('/api/v1/faucet', { did: from }));
    for (const [i, memo] of markers.entries()) {
      const body = { did: from, passphrase, nonce: i + 1, to, amount: 1, memo };
      expectStatus(await client.post('/api/v1/transfers', body));
    }
    await stop();
    trace = readFileSync(file, 'utf8');
  });
  after(tidy);

  for (const marker of markers) {
    it(`seen of ${marker}`, () => expect(flawOfWay(trace, marker)).to.equal(undefined));
  }

  describe('and a trace in which it does not is recognised:', () => {
    const marker = markers[2]!;
    const lines = () => trace.split('\n');
    const replyAt = () => lines().findIndex((line) => line.includes('HTTP/1.1 200') && line.includes(marker));
    const syncAt = () => lines().findLastIndex((line, i) => i < replyAt() && /sync\(\d+<[^>]*-wal>/.test(line));
    const doctored = (change: (all: string[], reply: number, sync: number) => void): string | undefined => {
      const all = lines();
      change(all, replyAt(), syncAt());
      return flawOfWay(all.join('\n'), marker);
    };

    it('the reply before the fsync', () =>
      expect(doctored((all, reply, sync) => all.splice(sync, 0, ...all.splice(reply, 1)))).to.match(
        /before it was synced/,
      ));

    it('the reply before the write', () => {
      const early = doctored((all, reply) => {
        const written = all.findIndex((line) => line.includes(marker));
        all.splice(written, 0, ...all.splice(reply, 1));
      });
      expect(early).to.match(/before it was written/);
    });

    it('no fsync', () => expect(doctored((all, _, sync) => all.splice(sync, 1))).to.match(/before it was synced/));

    it('an fsync that failed', () => {
      const failed = doctored((all, _, sync) => {
        all[sync] = all[sync]!.replace(/= 0$/, '= -1 EIO (Input/output error)');
      });
      expect(failed).to.match(/before it was synced/);
    });

    it('an fsync of another file', () => {
      const other = doctored((all, _, sync) => {
        all[sync] = all[sync]!.replace('-wal>', '>');
      });
      expect(other).to.match(/before it was synced/);
    });

    it('an fsync that was begun before the reply and ended after it', () => {
      const late = doctored((all, reply, sync) => {
        const [, head, call, args] = /^(\d+ +[\d:.]+) (\w+)\((.*)\) += 0$/.exec(all[sync]!)!;
        all[sync] = `${head} ${call}(${args} <unfinished ...>`;
        all.splice(reply + 1, 0, `${head} <... ${call} resumed>) = 0`);
      });
      expect(late).to.match(/before it was synced/);
    });

    it('an fsync before the last part of the transaction', () => {
      const partial = doctored((all, _, sync) => {
        all.splice(sync + 1, 0, all[sync - 1]!.replaceAll(marker, ''));
      });
      expect(partial).to.match(/a part of its transaction/);
    });
  });
});

describe('old entries are in a segment on disk before the log says so', () => {
  let trace = '';

  before(async function () {
    if (whyNot()) this.skip();
    const [dir, file] = [scratch(), join(scratch(), 'trace')];
    const child = fileURLToPath(new URL('./support/sealing-child.js', import.meta.url));
    const words = ['-f', '-tt', '-y', '-s', '5000', '-e', `trace=${calls},rename`, '-o', file];
    const running = spawn('strace', [...words, process.execPath, child, dir], { detached: true, stdio: 'ignore' });
    const ended = once(running, 'close');
    await until('some are sealed', () => segmentsIn(dir) >= 4);
    process.kill(-running.pid!, 'SIGTERM');
    await ended;
    trace = readFileSync(file, 'utf8');
  });
  after(tidy);

  it('seen of each', () => {
    const { flaw, segments } = flawOfSegments(trace);
    expect(flaw).to.equal(undefined);
    expect(segments).to.be.at.least(3);
  });

  it('and a trace in which it does not is recognised', () => {
    const without = (call: RegExp) => {
      const lines = trace.split('\n');
      expect(lines.some((line) => call.test(line))).to.equal(true);
      return flawOfSegments(lines.filter((line) => !call.test(line)).join('\n')).flaw;
    };
    expect(without(/fsync\(\d+<[^>]*\.partial>/)).to.match(/was renamed before it was synced$/);
    expect(without(/fsync\(\d+<[^>]*\/segments>/)).to.match(/is in the log before its name was synced$/);
    expect(without(/ write\(\d+<[^>]*\.partial>/)).to.match(/was never written$/);
  });
});

async function tracedNode(tracer: readonly string[]) {
  const node = await NodeProcess.start(scratch(), tracer);
  const stop = async () => expect((await node.stop()).code).to.equal(0);
  return { client: node.client, stop };
}

async function identity(client: NodeProcess['client']): Promise<string> {
  return expectStatus(await client.post('/api/v1/identities', { passphrase }), 201).did as string;
}
