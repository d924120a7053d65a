/** HTTPS with the files of SVC_TLS_CERT and SVC_TLS_KEY. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it('plain HTTP on its port takes nothing down', async () => {
    const at = await start(sampleRoutes, { variables });
    const outcome = await raw(at.port, request('GET /healthz', at.port)).then(
      ({ status }) => status,
      () => 'closed',
    );
    expect(outcome).to.be.oneOf(['closed', 400]);
  });
});
