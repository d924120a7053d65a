/**
 * Secrets in requests appear nowhere afterwards: neither in the log, nor in files, nor in replies or deliveries to others. The
 * test searches for planted secrets as text, in hex and in base64.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { filesBelow } from '../support/files.js';
import { tidy } from '../support/scratch.js';
import { Target } from './support/target.js';

const spellings = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

describe('Canaries', () => {
  let target: Target;
  let receiver: http.Server;
  const delivered: string[] = [];
  const secrets: { [name: string]: string } = {};
  const answers: string[] = [];

  const hear = (name: string, body: Body): void => {
    answers.push(`${name}\n${JSON.stringify(body)}`);
  };

  before(async () => {
    receiver = http.createServer(async (request, response) => {
      for await (const chunk of request) delivered.push(String(chunk));
      response.end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    target = await Target.start({ SVC_LOG_LEVEL: 'trace', SVC_WEBHOOK_NETWORKS: '127.0.0.1' });
  });
  after(async () => {
    receiver?.close();
    await tidy();
  });

  it('are handed over in every place that takes a secret', async () => {
    const [seller, buyer] = [await target.person(), await target.person()];
    secrets.passphrase = seller.passphrase;
    secrets['other passphrase'] = buyer.passphrase;
    secrets['admin key'] = await target.key('admin');
    secrets['read key'] = await target.key('read');
    const admin = target.client.keyed(secrets['admin key']);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const hook = expectStatus(await admin.post('/api/v1/webhooks', { url }), 201);
    secrets['webhook secret'] = hook.secret;
    const own = await target.client.post(`/api/v1/identities/${seller.did}/api-keys`, {
      passphrase: seller.passphrase,
    });
    secrets['own key'] = expectStatus(own, 201).key;

    secrets.content = 'canary-content-5b1f0c77d2';
    secrets['access token'] = 'canary-access-token-91a7be03';
    secrets['access URL'] = 'https://canary-access-url-3f66.example/download';
    const example = infoListing.create.example;
    const content = { format: 'text/plain', data: secrets.content };
    const { listingId, contentKeyHex } = expectStatus(
      await seller.write('/api/v1/markets/info', { ...example, content }),
      201,
    );
    secrets['content key'] = contentKeyHex;
    const base = `/api/v1/markets/info/${listingId}/actions`;
    const { orderId } = expectStatus(await buyer.write(`${base}/purchase`), 201);
    const access = { accessToken: secrets['access token'], accessUrl: secrets['access URL'] };
    expectStatus(await seller.write(`${base}/deliver`, { orderId, ...access }));
    const open = { did: buyer.did, passphrase: buyer.passphrase };
    const opened = expectStatus(await target.client.post(`/api/v1/orders/${orderId}/actions/open`, open));
    expect(JSON.stringify(opened), 'the buyer gets what was bought').to.include(secrets['access token']);

    // A wrong passphrase is not quoted either.
    secrets['wrong passphrase'] = 'canary-wrong-passphrase-77';
    await target.client.post('/api/v1/transfers', {
      ...seller.signed,
      to: buyer.did,
      amount: 1,
      passphrase: secrets['wrong passphrase'],
    });
    secrets['wrong key'] = `svck_${'W'.repeat(43)}`;
    await target.client.keyed(secrets['wrong key']).get('/api/v1/node');
    await target.client.post('/api/v1/transfers', `{"passphrase":"${secrets['wrong passphrase']}"`);
  });

  it('are in no answer to others', async () => {
    const admin = target.client.keyed(secrets['admin key']!);
    const lists = [
      'events',
      'orders',
      'escrows',
      'markets/info',
      'markets/search',
      'wallets',
      'node',
      'node/config',
      'webhooks',
    ];
    for (const name of [...lists, 'admin/log', 'admin/api-keys']) {
      hear(name, expectStatus(await admin.get(`/api/v1/${name}`)));
    }
    const hooks = expectStatus(await admin.get('/api/v1/webhooks'));
    for (const { id } of hooks.webhooks)
      hear('deliveries', expectStatus(await admin.get(`/api/v1/webhooks/${id}/deliveries`)));
    hear('metrics', (await admin.get('/metrics')).text);
    expect(delivered.length, 'deliveries to the webhook').to.be.greaterThan(0);
    hear('deliveries received', delivered);
    for (const [name, secret] of Object.entries(secrets)) {
      for (const answer of answers)
        expect(answer.includes(secret), `${name} in ${answer.split('\n', 1)}`).to.equal(false);
    }
  });

  it('are in no log line and in no file but where they belong', async () => {
    const { stderr, code } = await target.process.stop();
    expect(code).to.equal(0);
    expect(stderr.length, 'the log at trace level').to.be.greaterThan(1_000);
    const found: string[] = [];
    for (const [name, secret] of Object.entries(secrets)) {
      for (const spelling of spellings(secret)) {
        if (stderr.includes(spelling)) found.push(`${name} in the log`);
        for (const [file, bytes] of filesBelow(target.dir))
          if (bytes.includes(spelling)) found.push(`${name} in ${file}`);
      }
    }
    expect(found).to.deep.equal([]);
  });
});
