/** This program on a database on MongoDB that the newest release has written (docs/upgrades.md#what-stays-compatible). */
import { expect } from 'chai';
import { json, svcNode } from '../cli/support/command.js';
import { faucet, get, post, startNode } from '../cli/support/node.js';
import { passphrase, releasesWith, unpackProgram } from '../histories/release.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

describeMongo('A database of a release on MongoDB', () => {
  const [release] = releasesWith('program');
  let database: TestDatabase | undefined;
  after(async () => {
    await tidy();
    await database?.dispose();
  });

  it(`${release} is opened, served, written, audited and rebuilt by this program`, async () => {
    database = await TestDatabase.fresh();
    const env = { SVC_STORE: database.url };
    const dir = scratch();
    const run = async (...words: string[]) => {
      const end = await svcNode([...words, '--json', '--data', dir], { env });
      expect(end.code, end.stderr).to.equal(0);
      return json<{ entries: number; flaw?: unknown }>(end);
    };

    const old = await startNode(dir, [], { program: unpackProgram(release!, scratch()), env });
    expect((await get(`${old.url}/api/v1/node`)).body.version).to.equal(release);
    const made = await post(`${old.url}/api/v1/identities`, { passphrase });
    const { did } = made.body;
    expect((await faucet(old, did)).status).to.equal(200);
    const escrow = { beneficiary: old.did, amount: 20, releaseRules: [{ type: 'manual' }], autoFund: true };
    const locked = await post(`${old.url}/api/v1/escrows`, { did, passphrase, nonce: 1, ...escrow });
    expect(locked.status, JSON.stringify(locked.body)).to.equal(201);
    const paths = [`/wallets/${did}`, `/escrows/${locked.body.escrowId}`, '/events?limit=100'];
    const read = (url: string) => Promise.all(paths.map(async (path) => (await get(`${url}/api/v1${path}`)).body));
    const before = await read(old.url);
    expect(await old.stop()).to.include({ code: 0 });

    const node = await startNode(dir, [], { env });
    await until('it is ready', async () => (await get(`${node.url}/readyz`)).body.status === 'ready');
    expect(await read(node.url)).to.deep.equal(before);
    const release15 = { did, passphrase, nonce: 2, amount: 15 };
    const part = await post(`${node.url}/api/v1/escrows/${locked.body.escrowId}/actions/release`, release15);
    expect(part.status, JSON.stringify(part.body)).to.equal(200);
    expect((await get(`${node.url}/api/v1/wallets/${did}`)).body).to.include({ available: 80, escrowed: 5 });
    expect(await node.stop()).to.include({ code: 0 });
    const audited = await run('audit', '--full');
    expect(audited.flaw).to.equal(undefined);
    expect(audited.entries).to.be.above(before[2].events.length);
    expect((await run('rebuild')).entries).to.equal(audited.entries);
  });
});
