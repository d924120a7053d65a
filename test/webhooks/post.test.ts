/** One delivery over HTTP: to one address, within a time limit, whatever the receiver does. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import sinon from 'sinon';
import { realEnvironment } from '../../src/core/environment.js';
import { Poster, type PosterOptions } from '../../src/projections/webhooks/post.js';
import { ok, Receiver, silence, status } from './support/receiver.js';

describe('A delivery', () => {
  let receiver: Receiver;
  let trap: Receiver;
  const { signal } = new AbortController();
  const body = Buffer.from('{}');

  const poster = (options: Partial<PosterOptions> = {}) =>
    new Poster({
      ...{ encrypted: false, networks: ['127.0.0.0/8'], world: realEnvironment, totalMs: 400, replyBytes: 1_024 },
      resolve: async () => ['127.0.0.1'],
      ...options,
    });
  const post = (url: string, options?: Partial<PosterOptions>) => poster(options).post(url, {}, body, signal);

  beforeEach(async () => {
    receiver = await Receiver.open();
    trap = await Receiver.open();
  });
  afterEach(() => Promise.all([receiver.close(), trap.close()]));

  it('arrives with any 2xx', async () => {
    for (const code of [200, 202, 204, 299]) {
      receiver.answer = status(code);
      expect(await post(receiver.url)).to.include({ status: code, error: null });
    }
    expect(receiver.received[0]!.url).to.equal('/hook');
  });

  it('fails with any other status', async () => {
    for (const code of [400, 401, 404, 410, 429, 500, 503]) {
      receiver.answer = status(code);
      expect(await post(receiver.url)).to.include({ status: code, error: `status ${code}` });
    }
  });

  it('follows no redirect', async () => {
    for (const code of [301, 302, 303, 307, 308]) {
      receiver.answer = status(code, { Location: trap.url });
      expect((await post(receiver.url)).error).to.include('redirects are not followed');
    }
    expect(trap.received).to.deep.equal([]);
  });

  it('resolves its name once, and goes to the very address that was looked at', async () => {
    // The name resolves to a forbidden address as soon as it has been checked.
    const resolve = sinon.stub().resolves(['10.0.0.1']).onFirstCall().resolves(['127.0.0.1']);
    const outcome = await post(`http://hooks.example.org:${receiver.port}/`, { resolve });
    expect(outcome).to.include({ error: null });
    expect(resolve.args.map(([name]) => name)).to.deep.equal(['hooks.example.org']);
    expect(receiver.received[0]!.headers.host).to.equal(`hooks.example.org:${receiver.port}`);
    const moved = await post(`http://hooks.example.org:${receiver.port}/`, { resolve });
    expect(moved.error).to.include('10.0.0.1 is not a global address');
    expect(receiver.received).to.have.length(1);
  });

  it('never reaches an address that is not global and not configured', async () => {
    for (const url of [
      receiver.url,
      `http://localhost:${receiver.port}/`,
      `http://hooks.example.org:${receiver.port}/`,
    ]) {
      expect((await post(url, { networks: [] })).error, url).to.include('127.0.0.1 is not a global address');
    }
    expect(receiver.received).to.deep.equal([]);
  });

  it('goes through no proxy of the environment', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${trap.port}`;
    try {
      expect(await post(receiver.url)).to.include({ error: null });
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      }
    }
    expect(trap.received).to.deep.equal([]);
  });

  it('has one time limit, from the name to the status', async () => {
    receiver.answer = silence;
    const never = () => new Promise<never>(() => {});
    for (const [url, options] of [
      [receiver.url, {}],
      [`http://hooks.example.org:${receiver.port}/`, { resolve: never }],
    ] as const) {
      const outcome = await post(url, options);
      expect(outcome).to.include({ status: null, error: 'no answer within 0.4 s' });
      expect(outcome.durationMs).to.be.within(350, 15_000);
    }
  });

  it('drips or floods of a reply change nothing: the status counts', async () => {
    receiver.answer = (_, response) => {
      response.writeHead(200).write('a');
    };
    const dripping = await post(receiver.url);
    expect(dripping).to.include({ status: 200, error: null });
    let taken = 0;
    receiver.answer = (_, response) => {
      response.writeHead(200);
      const flood = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) taken += 65_536;
      };
      response.on('drain', flood);
      flood();
    };
    expect(await post(receiver.url, { totalMs: 5_000 })).to.include({ status: 200, error: null });
    expect(taken).to.be.below(16 * 1024 * 1024);
  });

  it('reports why there was no connection', async () => {
    const { port } = receiver;
    await receiver.close();
    expect((await post(`http://127.0.0.1:${port}/`)).error).to.equal('the connection failed: ECONNREFUSED');
    receiver = await Receiver.open();
    expect((await post(`https://127.0.0.1:${receiver.port}/`)).error).to.include('the connection failed');
  });

  it('takes what a busy receiver asks for', async () => {
    receiver.answer = status(503, { 'Retry-After': '7' });
    expect(await post(receiver.url)).to.include({ retryAfterMs: 7_000 });
    receiver.answer = status(404, { 'Retry-After': '7' });
    expect(await post(receiver.url)).to.include({ retryAfterMs: null });
    receiver.answer = ok;
  });

  it('over https: the certificate must be that of the name, although the connection goes to an address', async function () {
    const dir = mkdtempSync(join(tmpdir(), 'svc-hook-'));
    const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
    const names = ['-subj', '/CN=hooks.example.org', '-addext', 'subjectAltName=DNS:hooks.example.org'];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    try {
      execFileSync('openssl', [...args, ...names, ...files], { stdio: 'ignore' });
    } catch {
      this.skip(); // no openssl on this machine to make a certificate with
    }
    const [key, ca] = [join(dir, 'key.pem'), join(dir, 'cert.pem')].map((file) => readFileSync(file, 'utf8'));
    const secure = await Receiver.open({ key, cert: ca });
    try {
      const to = (name: string, trusted = true) =>
        post(`https://${name}:${secure.port}/`, { totalMs: 5_000, ...(trusted ? { ca } : {}) });
      expect(await to('hooks.example.org')).to.include({ status: 204, error: null });
      expect((await to('other.example.org')).error).to.include('ERR_TLS_CERT_ALTNAME_INVALID');
      expect((await to('127.0.0.1')).error).to.include('ERR_TLS_CERT_ALTNAME_INVALID');
      expect((await to('hooks.example.org', false)).error).to.include('SELF_SIGNED');
      expect(secure.received).to.have.length(1);
    } finally {
      await secure.close();
    }
  });
});
