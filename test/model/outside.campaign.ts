/**
 * The conformance walk on a node that it knows only from outside: a separate process, started as any user would. Also through a
 * proxy that lies or delays.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { OutsideDriver } from '../../scripts/conformance/outside.js';
import type { Report } from '../../scripts/conformance/report.js';
import { conformance } from '../../scripts/conformance/running.js';
import { Stuck, Wire } from '../../scripts/conformance/wire.js';
import { OwnNode } from '../../scripts/demo/own-node.js';
import type { Body } from '../node/support/client.js';

const command = fileURLToPath(new URL('../../scripts/conformance/conformance.js', import.meta.url));

interface Answer {
  status: number;
  body: Body;
  headers: { [name: string]: string };
}

type Change = (answer: Answer, method: string, path: string) => void;

/** A proxy in front of a node that may change its answers. */
class Between {
  readonly #server: http.Server;
  requests = 0;

  private constructor(target: string, change: Change) {
    this.#server = http.createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = 'GET', url: path = '/', headers } = request;
      const reply = await fetch(target + path, {
        method,
        headers: Object.fromEntries(
          ['content-type', 'x-api-key'].flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])),
        ),
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      });
      const answer: Answer = { status: reply.status, body: JSON.parse(await reply.text()), headers: {} };
      for (const name of ['content-type', 'x-request-id', 'date']) answer.headers[name] = reply.headers.get(name) ?? '';
      this.requests += 1;
      change(answer, method, path);
      response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body));
    });
  }

  static async listen(target: string, change: Change): Promise<Between> {
    const between = new Between(target, change);
    between.#server.listen(0, '127.0.0.1');
    await once(between.#server, 'listening');
    return between;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe('The conformance walk from outside', () => {
  let node: OwnNode;
  let dir: string;

  before(async () => {
    node = await OwnNode.start();
    dir = mkdtempSync(join(tmpdir(), 'svc-walk-'));
  });
  after(async () => {
    await node?.discard();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Walks the kind `bid` through the proxy. */
  async function walkedThrough(change: Change, stride = 1): Promise<Report> {
    const between = await Between.listen(node.url, change);
    try {
      const wire = new Wire(between.url, undefined, async () => {});
      return await conformance(await OutsideDriver.open(wire), { kinds: ['bid'], stride });
    } finally {
      between.close();
    }
  }

  const failuresOf = ({ kinds }: Report) =>
    kinds.flatMap(({ findings }) => findings.filter(({ outcome }) => outcome === 'failed'));

  async function run(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
    const child = spawn(process.execPath, [command, ...words]);
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const [code] = await once(child, 'close');
    return { code, out, err };
  }

  it('passes, and reports what no outsider can reach as such', async () => {
    const [junit, html] = [join(dir, 'junit.xml'), join(dir, 'report.html')];
    const { code, out, err } = await run(
      '--url',
      `${node.url}/`,
      '--kind',
      'bid',
      '--json',
      '--junit',
      junit,
      '--html',
      html,
    );
    expect(code, err).to.equal(0);
    const report = JSON.parse(out) as Report;
    expect(report).to.deep.include({ network: 'devnet', failed: 0, url: node.url });
    const [bid] = report.kinds;
    // Four situations, three actions and three people; the same again after the deadlines.
    expect([bid!.passed, bid!.unreachable, bid!.allowed, bid!.refused]).to.deep.equal([36, 36, 3, 33]);
    expect(bid!.unmet).to.deep.equal([]);
    expect(readFileSync(junit, 'utf8')).to.include(
      '<testsuite name="bid" tests="72" failures="0" errors="0" skipped="36"',
    );
    expect(readFileSync(html, 'utf8')).to.include('Nothing failed.');
  });

  it('fails with the exit code where the node is not as it must be', async () => {
    const between = await Between.listen(node.url, (answer) => {
      if (answer.body?.code === 'FORBIDDEN') answer.body.code = 'CONFLICT';
    });
    try {
      const { code, out } = await run('--url', between.url, '--kind', 'bid');
      expect(code, out).to.equal(1);
      expect(out).to.match(/^bid: on a task of its own \/ submitted \/ bidder: accept$/m);
      expect(out).to.include('expected: 403 FORBIDDEN').and.include('came: 403 CONFLICT');
    } finally {
      between.close();
    }
  });

  it('says why where there is no walk to make', async () => {
    expect((await run()).code).to.equal(2);
    expect((await run('--url', 'ftp://127.0.0.1')).err).to.include('is no http(s) URL');
    expect((await run('--url', node.url, '--kind', 'bids')).err).to.include('there is no kind bids; there are: escrow');
    const gone = await run('--url', 'http://127.0.0.1:9');
    expect([gone.code, gone.err.includes('http://127.0.0.1:9/api/v1/node')]).to.deep.equal([2, true]);
  });

  it('catches a refusal that says another status', async () => {
    const found = failuresOf(
      await walkedThrough((answer) => {
        if (answer.status === 409) answer.status = 422;
      }),
    );
    expect(new Set(found.map(({ flaw }) => `${flaw?.expected} ${flaw?.came}`))).to.deep.equal(
      new Set(['409 ORDER_INVALID_STATE 422 ORDER_INVALID_STATE']),
    );
  });

  it('catches a view that shows another state', async () => {
    const found = failuresOf(
      await walkedThrough((answer, method) => {
        if (method === 'GET' && answer.body?.status === 'withdrawn') answer.body.status = 'rejected';
      }),
    );
    expect(found.map(({ flaw }) => [flaw?.what, flaw?.expected, flaw?.came])).to.deep.include([
      'the view shows another status',
      'withdrawn',
      'rejected',
    ]);
    expect(found.length).to.be.above(0).and.below(36);
  });

  it('catches an event whose state is not the one in the chart', async () => {
    const found = failuresOf(
      await walkedThrough((answer, _, path) => {
        if (path.startsWith('/api/v1/events/') && answer.body?.event?.type === 'bid.withdrawn')
          answer.body.versions[0].stateHash = 'f'.repeat(64);
      }),
    );
    expect(found.map(({ flaw }) => flaw?.what)).to.include('the entry is not what the law makes of the request');
  });

  it('catches a refusal whose request has been carried out nevertheless', async () => {
    let turn = 0;
    const found = failuresOf(
      await walkedThrough((answer, method, path) => {
        if (method === 'GET' && path.includes('/tasks/bids/') && turn++ % 3 === 2)
          answer.body.resourcePrev = 'f'.repeat(64);
      }),
    );
    expect(found.map(({ flaw }) => flaw?.what)).to.include('it was refused and has changed something');
  });

  it('waits when asked to, and sends the same again', async () => {
    let turn = 0;
    const report = await walkedThrough((answer, method, path) => {
      // Answers without forwarding to the node, so the action must not have happened.
      if (method === 'GET' && path.includes('/tasks/bids/') && turn++ % 4 === 0)
        Object.assign(answer, {
          status: turn % 8 === 1 ? 429 : 503,
          headers: { 'retry-after': '2' },
          body: { code: 'RATE_LIMITED' },
        });
    });
    expect(failuresOf(report)).to.deep.equal([]);
    expect(report.waits.count).to.be.above(5);
    expect(report.waits.seconds).to.equal(2 * report.waits.count);
  });

  it('gives up on a node that asks for too much patience', async () => {
    const asked = walkedThrough((answer) => {
      Object.assign(answer, {
        status: 429,
        headers: { 'retry-after': '86400' },
        body: { detail: 'come back tomorrow' },
      });
    });
    const error = await asked.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(Stuck);
    expect((error as Stuck).message)
      .to.include('come back tomorrow')
      .and.include('86400 s');
  });
});
