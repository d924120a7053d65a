/** A peer that sends nothing but requests for new TLS keys, as fast as it can. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pairOf, signerNamed } from '../../peers/transport/pair.js';
import { credentialsOf } from '../../peers/transport/raw-client.js';
import { scratch, tidy } from '../../support/scratch.js';

/** OpenSSL reads `K` at the beginning of a line as a request for new keys on both sides. */
const updates = 'K\n'.repeat(1_000);
const betweenRequestsMs = 250;

describe('TLS key updates without end', () => {
  after(tidy);

  it('end the connection like silence, and the listener answers others meanwhile', async () => {
    const pair = await pairOf((_request, reply) => reply.send(204).then(() => {}));
    const { host, port } = pair.address;
    const dir = scratch();
    const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
    const credentials = credentialsOf(signerNamed('eve'));
    writeFileSync(key, credentials.key);
    writeFileSync(cert, credentials.cert);
    const target = ['-connect', `${host}:${port}`, '-tls1_3', '-alpn', 'http/1.1', '-key', key, '-cert', cert];
    const client = spawn('openssl', ['s_client', ...target], { stdio: ['pipe', 'ignore', 'pipe'] });
    client.stdin.on('error', () => {});
    let sent = 0;
    client.stderr.on('data', (text: Buffer) => {
      sent += text.toString().split('KEYUPDATE').length - 1;
    });
    let isOpen = true;
    const ended = once(client, 'close').then(() => {
      isOpen = false;
    });
    try {
      for (let asked = performance.now(); isOpen; ) {
        if (!client.stdin.write(updates)) await Promise.race([once(client.stdin, 'drain').catch(() => {}), ended]);
        if (performance.now() - asked < betweenRequestsMs) continue;
        expect(await pair.connection.request('GET', '/')).to.include({ status: 204 });
        asked = performance.now();
      }
      expect(sent).to.be.above(1_000);
      expect(pair.listener.counts()).to.include({ slow: 1, unproven: 0 });
    } finally {
      client.kill();
      await pair.close();
    }
  });
});
