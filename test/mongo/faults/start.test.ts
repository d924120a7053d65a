/** A start waits for its database, answers meanwhile, and continues by itself. It refuses when waiting cannot help. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MongoServerError, MongoServerSelectionError } from 'mongodb';
import { cheapKdf } from '../../../packages/fake-node/src/cheap-kdf.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { createLog } from '../../../src/core/log.js';
import type { RunningNode } from '../../../src/node/dependencies.js';
import { openNode } from '../../../src/node/node.js';
import { isWorthWaiting } from '../../../src/store/mongo/outage.js';
import { StoreAway, StoreRefused } from '../../../src/store/store.js';
import { rejection } from '../../contract/fixture.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import { Client } from '../../node/support/client.js';
import { configOf } from '../../node/support/node.js';
import { TestDatabase } from '../support/database.js';
import { Network } from '../support/network.js';
import { describeMongo } from '../support/server.js';

describeMongo('a start while the database is away', () => {
  let database: TestDatabase;
  let network: Network;
  let dir: string;
  const faults: unknown[] = [];

  before(async () => {
    database = await TestDatabase.fresh();
    network = await Network.to(database.url);
    dir = await mkdtemp(join(tmpdir(), 'svc-test-start-'));
  });
  after(async () => {
    await network.dispose();
    await database.dispose();
    await rm(dir, { recursive: true });
  });

  function start(url: string, onWaiting: (why: string, url: string) => void = () => {}): Promise<RunningNode> {
    const config = configOf(dir, { SVC_STORE: url });
    const onFault = (fault: unknown) => faults.push(fault);
    return openNode({ config, world: realEnvironment, log: createLog(), kdf: cheapKdf, onFault, onWaiting });
  }
  const through = () => network.through(`${database.url}?serverSelectionTimeoutMS=300`);

  it('says why it waits, that it lives and that it is not ready, and then continues', async () => {
    network.close();
    let starting: Promise<RunningNode> | undefined;
    const [why, url] = await new Promise<[string, string]>((resolve) => {
      starting = start(through(), (...given) => resolve(given));
    });
    expect(why).to.match(/the database at mongodb:.* can't be opened/);
    const early = new Client(url);
    expect(expectStatus(await early.get('/healthz'))).to.deep.equal({ status: 'ok' });
    for (const path of ['/readyz', '/metrics', '/api/v1/node', '/nowhere']) {
      const reply = await early.get(path);
      expectProblem(reply, 'SERVICE_UNAVAILABLE');
      expect(reply.headers['retry-after']).to.equal('5');
      expect(reply.body.detail, 'where the database is, is nothing for strangers').to.match(
        /waits for its database, which/,
      );
    }
    expectProblem(await early.post('/api/v1/transfers', { amount: 1 }), 'SERVICE_UNAVAILABLE');
    early.close();
    network.open();
    const node = await starting!;
    const client = new Client(node.url);
    expectStatus(await client.get('/readyz'));
    client.close();
    await node.close();
  });

  for (const chunks of [3, 12, 25, 40]) {
    it(`begins again where the database goes away in the middle, after ${chunks} requests to it`, async () => {
      const cut = network.closeAfter(chunks);
      const starting = start(through());
      await cut;
      await new Promise((resolve) => setTimeout(resolve, 400));
      network.open();
      const node = await starting;
      const client = new Client(node.url);
      expectStatus(await client.get('/readyz'));
      client.close();
      await node.close();
      expect(faults).to.deep.equal([]);
    });
  }

  it('is refused for what waiting does not help against: credentials, certificates, a wrong URL', async () => {
    const denied = new MongoServerError({ message: 'Authentication failed.', code: 18 });
    const certificate = Object.assign(new Error('self-signed certificate'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
    const servers = new Map([['a:1', { error: certificate }]]);
    const selection = new MongoServerSelectionError('timed out', { servers } as never);
    expect([denied, certificate, selection].filter(isWorthWaiting)).to.deep.equal([]);
    const down = new MongoServerSelectionError('timed out', { servers: new Map() } as never);
    expect(isWorthWaiting(down)).to.equal(true);
    const wrong = await rejection(start('mongodb://127.0.0.1:1/?ssl=maybe'));
    expect(wrong).to.be.instanceOf(StoreRefused).and.not.instanceOf(StoreAway);
  });
});
