/** Floods of dry runs, and of events whose signatures are wrong: what each costs is bounded, and writes nothing. */
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { keys } from '../../packages/client/src/signing/key.js';
import { startNode } from '../cli/support/node.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { measured } from './floods.js';

const most = isLong ? { connections: 1_500, seconds: 20 } : { connections: 300, seconds: 3 };

(process.platform === 'linux' ? describe : describe.skip)('hostile: dry runs, and events with wrong signatures', () => {
  after(tidy);

  for (const limited of isLong ? [true, false] : [true]) {
    it(`from 40 addresses ${limited ? 'at their limits' : 'without limits'} cost bounded memory, and no health check its answer`, async () => {
      const node = await startNode(scratch(), [], {
        env: { SVC_CHAIN: 'none', SVC_LOG_LEVEL: 'error', SVC_RATE_LIMIT_LOOPBACK: limited ? 'on' : 'off' },
      });
      const key = await keys.generate();
      let signed = '';
      const client = new Client({
        url: node.url,
        fetch: async (url, init) => {
          if (!url.endsWith('/events')) return fetch(url, init);
          signed = String(init.body);
          return new Response('{}', { status: 400 });
        },
      });
      await client.faucet.claim(key.did);
      const to = (await keys.generate()).did;
      await client
        .as({ key })
        .wallets.transfer({ to, amount: 1 })
        .catch(() => {});
      const { event, ...rest } = JSON.parse(signed);
      const sig = event.sig.slice(0, -4) + (event.sig.endsWith('AAAA') ? 'AAAE' : 'AAAA');
      const bodies = [
        ['transfers', { did: key.did, prepare: true, to, amount: 1 }],
        ['events', { event: { ...event, sig }, ...rest }],
      ] as const;
      const texts = bodies.map(([path, body]) => {
        const text = JSON.stringify(body);
        const head = `POST /api/v1/${path} HTTP/1.1\r\nHost: ${new URL(node.url).host}\r\nContent-Type: application/json\r\n`;
        return `${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`.repeat(100);
      });
      const { before, during, growth, figures } = await measured(node, texts, most);
      expect(during.worst, figures).to.be.finite;
      expect(growth, figures).to.be.below(limited ? 160 : 320);
      expect(during.p99, figures).to.be.below(Math.max(1_000, 40 * before.p99));
      expect((await client.wallets.get(key.did)).nextNonce).to.equal(1);
      expect((await node.stop()).code).to.equal(0);
    });
  }
});
