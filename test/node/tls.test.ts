/** A whole node with SVC_TLS_CERT and SVC_TLS_KEY: requests, headers for browsers, old protocols, wrong files. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { loadConfig } from '../../src/node/config/config.js';
import { StartRefused } from '../../src/node/identity.js';
import { until } from '../support/until.js';
import { TestNode } from './support/node.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of the body
  readonly body: any;
}

describe('A node with a certificate', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-test-tls-'));
  const files = { SVC_TLS_CERT: join(dir, 'cert.pem'), SVC_TLS_KEY: join(dir, 'key.pem') };
  const others = { SVC_TLS_CERT: join(dir, 'other.pem'), SVC_TLS_KEY: join(dir, 'other-key.pem') };
  let node: TestNode;

  /** An RSA certificate, for which there are suites without forward secrecy. */
  function make({ SVC_TLS_CERT, SVC_TLS_KEY }: typeof files): void {
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    execFileSync('openssl', [...args, ...names, '-keyout', SVC_TLS_KEY, '-out', SVC_TLS_CERT], { stdio: 'ignore' });
  }

  before(async function () {
    try {
      for (const each of [files, others]) make(each);
    } catch {
      this.skip(); // no openssl on this machine to make a certificate with
    }
    node = await TestNode.start({ variables: files });
  });
  after(async () => {
    await node?.discard();
    rmSync(dir, { recursive: true });
  });

  /** Sends a request on a new connection that trusts only the node's certificate. */
  function ask(method: string, path: string, body?: object): Promise<Answer> {
    const ca = readFileSync(files.SVC_TLS_CERT);
    const headers = body ? { 'Content-Type': 'application/json' } : {};
    return new Promise((resolve, reject) => {
      const asked = https.request(`${node.url}${path}`, { method, ca, agent: false, headers }, async (reply) => {
        const text = Buffer.concat(await reply.toArray()).toString();
        resolve({
          status: reply.statusCode!,
          headers: reply.headers,
          body: text === '' ? undefined : JSON.parse(text),
        });
      });
      asked.on('error', reject).end(body && JSON.stringify(body));
    });
  }

  /** The agreed protocol and suite, or the code of the refusal. */
  function agreed(options: tls.ConnectionOptions): Promise<string> {
    const ca = readFileSync(files.SVC_TLS_CERT);
    return new Promise((resolve) => {
      const socket = tls.connect({ port: Number(new URL(node.url).port), host: '127.0.0.1', ca, ...options }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
        socket.destroy();
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
    });
  }

  it('answers by HTTPS: reads, writes and refusals', async () => {
    expect(node.url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask('GET', '/readyz')).to.deep.include({ status: 200 });
    expect((await ask('GET', '/api/v1/node')).body.did).to.equal(node.did);
    const made = await ask('POST', '/api/v1/identities', { passphrase: 'correct horse battery' });
    expect(made.status).to.equal(201);
    expect((await ask('POST', '/api/v1/faucet', { did: made.body.did })).status).to.equal(200);
    expect((await ask('GET', `/api/v1/wallets/${made.body.did}`)).body.balance).to.equal(100);
    expect((await ask('GET', '/api/v1/nothing')).body.code).to.equal('NOT_FOUND');
  });

  it('makes browsers return by HTTPS only, with an error as well', async () => {
    for (const path of ['/healthz', '/api/v1/node', '/api/v1/nothing']) {
      const { headers } = await ask('GET', path);
      expect(headers['strict-transport-security'], path).to.match(/^max-age=(\d{8,})$/);
    }
  });

  it('is not believed by who does not trust its certificate', async () => {
    const strange = await agreed({ ca: readFileSync(others.SVC_TLS_CERT) });
    expect(strange).to.be.oneOf(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_SIGNATURE_FAILURE']);
  });

  it('refuses old protocols, and suites without forward secrecy', async () => {
    expect(await agreed({})).to.match(/^TLSv1\.3 TLS_/);
    expect(await agreed({ maxVersion: 'TLSv1.2' })).to.match(/^TLSv1\.2 ECDHE-RSA-/);
    for (const version of ['TLSv1', 'TLSv1.1'] as const) {
      const old = { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' };
      expect(await agreed(old), version).to.equal('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    }
    for (const ciphers of ['AES256-GCM-SHA384', 'AES128-SHA']) {
      const weak = { maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` } as const;
      expect(await agreed(weak), ciphers).to.match(/^ERR_SSL_.*HANDSHAKE_FAILURE$/);
    }
  });

  it('answers nothing to plain HTTP on its port', async () => {
    const plain = await fetch(`${node.url.replace('https', 'http')}/healthz`).then(
      ({ status }) => status,
      () => 'closed',
    );
    expect(plain).to.be.oneOf(['closed', 400]);
    expect((await ask('GET', '/healthz')).status).to.equal(200);
  });

  it('goes by a renewed certificate without a restart, and says when it cannot', async () => {
    const [cert, key] = [files.SVC_TLS_CERT, files.SVC_TLS_KEY];
    const first = [readFileSync(cert), readFileSync(key)] as const;
    const second = [readFileSync(others.SVC_TLS_CERT), readFileSync(others.SVC_TLS_KEY)] as const;
    const put = ([certBytes, keyBytes]: readonly [Buffer, Buffer]) => {
      writeFileSync(cert, certBytes);
      writeFileSync(key, keyBytes);
    };
    const looks = async <T>(what: string, look: () => Promise<T>, is: (seen: T) => boolean) => {
      node.world.skip(bounds.certificateCheckMs);
      return until(what, look, { is });
    };
    const isTrusted = (ca: Buffer) => async () => (await agreed({ ca })).startsWith('TLSv1.3');
    // `ask` trusts what the file has, which the node does not use while it is wrong.
    const ready = async (ca: Buffer): Promise<string> =>
      new Promise((resolve, reject) => {
        const asked = https.get(`${node.url}/readyz`, { ca, agent: false }, async (reply) =>
          resolve(Buffer.concat(await reply.toArray()).toString()),
        );
        asked.on('error', reject);
      });
    put(second);
    await looks('the new certificate is used', isTrusted(second[0]), Boolean);
    expect(await isTrusted(first[0])()).to.equal(false);
    put([second[0], first[1]]);
    const cannot = /cannot be used .*the earlier certificate is/;
    await looks(
      'the problem is named',
      () => ready(second[0]),
      (text) => cannot.test(text),
    );
    expect(await agreed({ ca: second[0] })).to.match(/^TLSv1\.3 TLS_/);
    put(first);
    await looks('the first one is used again', isTrusted(first[0]), Boolean);
    expect(await ready(first[0])).not.to.match(cannot);
    // With its protocols and suites, as at the start.
    expect(await agreed({ maxVersion: 'TLSv1.2', ciphers: 'AES256-GCM-SHA384:@SECLEVEL=0' })).to.match(
      /^ERR_SSL_.*HANDSHAKE_FAILURE$/,
    );
  });

  it('is not configured with one of the files, or with one that cannot be read', () => {
    const nowhere = join(dir, 'nowhere.pem');
    for (const [variables, says] of [
      [{ SVC_TLS_CERT: files.SVC_TLS_CERT }, /given together or not at all/],
      [{ SVC_TLS_KEY: files.SVC_TLS_KEY }, /given together or not at all/],
      [{ ...files, SVC_TLS_CERT: nowhere }, /SVC_TLS_CERT names .*nowhere/],
      [{ ...files, SVC_TLS_KEY: nowhere }, /SVC_TLS_KEY names .*nowhere/],
    ] as const) {
      expect(loadConfig({}, { SVC_DATA_DIR: dir, ...variables }))
        .to.be.an('array')
        .with.property('0')
        .that.matches(says);
    }
  });

  it('does not start with files that are wrong, and makes nothing first', async () => {
    const junk = join(dir, 'junk.pem');
    writeFileSync(junk, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    const { SVC_TLS_CERT, SVC_TLS_KEY } = files;
    for (const [what, variables] of [
      ['a damaged certificate', { ...files, SVC_TLS_CERT: junk }],
      ['a damaged key', { ...files, SVC_TLS_KEY: junk }],
      ['the key of another certificate', { ...files, SVC_TLS_KEY: others.SVC_TLS_KEY }],
      ['one for the other', { SVC_TLS_CERT: SVC_TLS_KEY, SVC_TLS_KEY: SVC_TLS_CERT }],
    ] as const) {
      const data = mkdtempSync(join(dir, 'data-'));
      const error = await TestNode.start({ dir: data, variables }).then(
        (started) => started.discard(),
        (reason: unknown) => reason,
      );
      expect(error, what).to.be.instanceOf(StartRefused);
      expect((error as Error).message, what).to.match(/^SVC_TLS_CERT and SVC_TLS_KEY must name a certificate/);
      if (existsSync(data)) expect(readdirSync(data), what).to.deep.equal([]);
    }
  });
});
