/** HTTPS with the files of SVC_TLS_CERT and SVC_TLS_KEY. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import { raw, request, sampleRoutes, start, stopAll } from './support.js';

describe('http: TLS', () => {
  let dir: string;
  let variables: { SVC_TLS_CERT: string; SVC_TLS_KEY: string };

  before(function () {
    dir = mkdtempSync(join(tmpdir(), 'svc-tls-'));
    variables = { SVC_TLS_CERT: join(dir, 'cert.pem'), SVC_TLS_KEY: join(dir, 'key.pem') };
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const files = ['-keyout', variables.SVC_TLS_KEY, '-out', variables.SVC_TLS_CERT];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    try {
      execFileSync('openssl', [...args, ...names, ...files], { stdio: 'ignore' });
    } catch {
      this.skip(); // no openssl on this machine to make a certificate with
    }
  });
  afterEach(stopAll);
  after(() => rmSync(dir, { recursive: true }));

  it('serves, knows its own URL and gives the loopback privilege', async () => {
    const at = await start(sampleRoutes, { variables });
    expect(at.url).to.equal(`https://127.0.0.1:${at.port}`);
    const ca = readFileSync(variables.SVC_TLS_CERT);
    const caller = await new Promise<{ loopback: boolean }>((resolve, reject) => {
      const url = `${at.url}/api/v1/caller`;
      const asked = https.get(url, { ca, agent: false, headers: { origin: at.url } }, (reply) => {
        reply.once('data', (data) => resolve(JSON.parse(String(data)).caller));
      });
      asked.on('error', reject);
    });
    expect(caller.loopback).to.equal(true);
  });

  it('asks browsers to come back by HTTPS alone, also with an error', async () => {
    const at = await start(sampleRoutes, { variables });
    const ca = readFileSync(variables.SVC_TLS_CERT);
    for (const path of ['/healthz', '/nothing']) {
      const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
        const asked = https.get(`${at.url}${path}`, { ca, agent: false }, (reply) => resolve(reply.resume().headers));
        asked.on('error', reject);
      });
      expect(headers['strict-transport-security'], path).to.equal('max-age=31536000');
    }
    const plain = await start();
    expect((await fetch(`${plain.url}/healthz`)).headers.has('strict-transport-security')).to.equal(false);
  });

  it('talks only by suites with forward secrecy, of TLS 1.2 and 1.3', async () => {
    const files = { SVC_TLS_CERT: join(dir, 'rsa.pem'), SVC_TLS_KEY: join(dir, 'rsa-key.pem') };
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-out', files.SVC_TLS_CERT];
    execFileSync('openssl', [...args, '-keyout', files.SVC_TLS_KEY, ...names], { stdio: 'ignore' });
    const { port } = await start(sampleRoutes, { variables: files });
    const ca = readFileSync(files.SVC_TLS_CERT);
    const suite = (options: tls.ConnectionOptions) =>
      new Promise<string>((resolve) => {
        const socket = tls.connect({ port, host: '127.0.0.1', ca, ...options }, () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
          socket.destroy();
        });
        socket.on('error', () => resolve('refused'));
      });
    const until12 = { maxVersion: 'TLSv1.2' } as const;
    // Key exchange with the certificate's RSA key has no forward secrecy: an attacker who obtains the key later can read recorded
    // traffic.
    for (const ciphers of ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'AES256-SHA', 'ECDHE-RSA-AES256-SHA']) {
      expect(await suite({ ...until12, ciphers: `${ciphers}:@SECLEVEL=0` }), ciphers).to.equal('refused');
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
    expect(await suite(old)).to.equal('refused');
    expect(await suite(until12)).to.match(/^TLSv1\.2 ECDHE-RSA-/);
    expect(await suite({})).to.match(/^TLSv1\.3 TLS_/);
  });

  it('plain HTTP on its port takes nothing down', async () => {
    const at = await start(sampleRoutes, { variables });
    const outcome = await raw(at.port, request('GET /healthz', at.port)).then(
      ({ status }) => status,
      () => 'closed',
    );
    expect(outcome).to.be.oneOf(['closed', 400]);
  });
});
