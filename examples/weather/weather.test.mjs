/** An owner gives an agent 50 Tokens; the agent buys forecasts until it can't, and gives the rest back. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { Client, keys } from 'svc-node/client';
import { Agent } from './agent.mjs';
import { shop } from './shop.mjs';

/** A devnet node on this machine. */
const node = process.env.SVC_URL ?? 'http://127.0.0.1:9528';

/** What the shop leases: a budget for many forecasts. */
const capability = {
  ...{ title: 'Weather', description: 'The weather of tomorrow.', category: 'data', tags: [], capabilityType: 'http' },
  ...{ capability: {}, quota: {}, access: {}, pricing: { usagePrice: { unit: 'forecast', pricePerUnit: 4 } } },
};

test('the agent buys until its Tokens are used up', () => story({}));
test('the agent buys from a lease until its budget is used up', () => story({ budget: 50 }));

async function story({ budget }) {
  const folder = await mkdtemp(join(tmpdir(), 'weather-'));
  const client = new Client({ url: node });
  const { home, network } = await client.node.status();
  const seller = await keys.generate();
  const { listingId: listing } = await client.as({ key: seller }).markets.capabilities.create(capability);

  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const secret = randomBytes(32);
  const app = shop({ payTo: seller.did, home, network, url, secret, listing, folder: join(folder, 'used') });
  server.on('request', app.callback());

  try {
    const passphrase = 'the passphrase of the owner';
    const { did: owner } = await client.identities.create(passphrase);
    await client.faucet.claim(owner);
    const key = await keys.fromSeed(randomBytes(32));
    await client.as({ did: owner, passphrase }).wallets.transfer({ to: key.did, amount: 50 });

    const agent = new Agent({ node, key, folder: join(folder, 'kept'), budget });
    assert.match(await (await fetch(url)).text(), /forecast/);
    assert.equal((await fetch(`${url}/forecast/Rome`)).status, 402);

    const places = Array.from({ length: 20 }, (_, index) => `${'x'.repeat(index + 1)}-ville`);
    const forecasts = await agent.travel(url, places);
    assert.equal(forecasts.length, 12);
    assert.deepEqual(forecasts[0], { place: 'x-ville', tomorrow: 'snow' });

    // What it may not pay for does not look like the end of its Tokens.
    await assert.rejects(agent.travel('http://weather.example', ['Rome']), { name: 'PaymentRefused' });

    assert.equal(await agent.giveBack(owner, url), 2);
    const balances = [seller.did, key.did, owner].map(async (did) => (await client.wallets.get(did)).balance);
    assert.deepEqual(await Promise.all(balances), [48, 0, 52]);
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
