import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { pause, realEnvironment } from '../../src/core/environment.js';
import type { AuditReport } from '../../src/verify/audit.js';
import { TestDatabase } from '../mongo/support/database.js';
import { describeMongo } from '../mongo/support/server.js';
import { scratch, tidy } from '../support/scratch.js';
import { json, svcNode } from './support/command.js';
import { faucet, post, startHere, type TestNode } from './support/node.js';

const audit = (dir: string, ...words: string[]) => svcNode(['audit', '--data', dir, ...words]);

const passphrase = 'correct horse battery staple';

/** Entries: 1 the node appoints its system key, 2 faucet, 3 transfer (whose event hash is given back), 4 faucet. */
async function fill(node: TestNode): Promise<string> {
  const env = { SVC_PASSPHRASE: passphrase };
  const { did } = json<{ did: string }>(
    await svcNode(['identity', 'create', '--data', node.dataDir, '--json'], { env }),
  );
  await faucet(node, did);
  const sent = await post(`${node.url}/api/v1/transfers`, { did, passphrase, nonce: 1, to: node.did, amount: 30 });
  expect(sent.status, JSON.stringify(sent.body)).to.equal(200);
  await faucet(node, did);
  return sent.body.eventHash;
}

describe('svc-node audit', () => {
  let dir: string;
  let third: string;
  before(async () => {
    const node = await startHere();
    third = await fill(node);
    dir = node.dataDir;
    await node.stop();
  });
  after(tidy);

  it('reports entries, resources, accounts, supply and head of a sound journal', async () => {
    const end = await audit(dir);
    expect(end).to.include({ code: 0, stderr: '' });
    expect(end.stdout).to.match(
      /^ +entries +4\n +resources +\d+\n +accounts +\d+\n +supply +200 Tokens\n +head +[0-9a-f]{64}\nOK: /m,
    );
    const report = json<AuditReport>(await audit(dir, '--json'));
    expect(report).to.include({ ok: true, entries: 4, supply: 200 });
    expect(report).not.to.have.property('flaw');
  });

  it('leaves what it has verified for the next audit, if it has the node’s passphrase', async () => {
    const env = { SVC_PASSPHRASE_FILE: join(dir, 'passphrase') };
    const known = async (words: string[], how = {}) =>
      json<AuditReport>(await svcNode(['audit', '--data', dir, '--json', ...words], how)).known;
    expect(await known([])).to.equal(0);
    expect(await known([], { env })).to.equal(0);
    expect(await known([])).to.equal(4);
    expect((await audit(dir)).stdout).to.match(
      /journal, since entry 4, up to which an earlier audit has verified it\.$/m,
    );
    expect(await known(['--full'])).to.equal(0);
    expect(await known([])).to.equal(0);
  });

  it('audits next to a node that continues to write', async () => {
    const node = await startHere();
    await fill(node);
    let writing = true;
    const writer = (async () => {
      while (writing) {
        await faucet(node, node.did);
        // Without a pause the journal would grow faster than the audit.
        await pause(realEnvironment, 10);
      }
    })();
    const reports: AuditReport[] = [];
    for (let i = 0; i < 2; i++) {
      reports.push(json<AuditReport>(await svcNode(['audit', '--data', node.dataDir, '--json'], { apart: true })));
    }
    writing = false;
    await writer;
    for (const report of reports) expect(report.ok, JSON.stringify(report)).to.equal(true);
    expect(reports.at(-1)!.entries).to.be.above(reports[0]!.entries);
    await node.stop();
  });

  describe('of a tampered copy', () => {
    const change = (what: string): string => {
      const copy = join(scratch(), 'copy');
      cpSync(dir, copy, { recursive: true });
      const database = new Database(join(copy, 'journal.db'));
      expect(database.prepare(what).run().changes, what).to.equal(1);
      database.close();
      return copy;
    };

    const flip = (column: string, from: string, to: string): string =>
      `UPDATE journal SET ${column} = replace(${column}, '${from}', '${to}') WHERE seq = 3`;

    for (const [title, what, says] of [
      ['an amount in its postings', flip('core', ',30]', ',31]'), 'entryHash is not the hash of the entry'],
      ['a byte that ends its JSON', flip('core', '{"accounts"', '["accounts"'), 'not in canonical form'],
      ['an amount in its payload', flip('payload', '"amount":30', '"amount":31'), 'payloadHash is not the hash'],
      ['a byte that ends its payload’s JSON', flip('payload', '"amount"', '"amount'), 'it cannot be replayed'],
      [
        'its hash',
        'UPDATE journal SET entry_hash = substr(entry_hash, 2) || substr(entry_hash, 1, 1) WHERE seq = 3',
        'chainHash does not fit',
      ],
    ] as const) {
      it(`names the entry when ${title} was changed`, async () => {
        const copy = change(what);
        const end = await audit(copy);
        expect(end.code).to.equal(1);
        expect(end.stdout)
          .to.match(/up to the first flaw\n +entries +2\n/)
          .and.not.match(/^OK:/m);
        expect(end.stderr)
          .to.match(new RegExp(`^svc-node: entry 3 is bad \\(event ${third}\\): [^\n]+\n$`))
          .and.include(says);
        const { ok, flaw } = json<AuditReport>(await audit(copy, '--json'));
        expect({ ok, ...flaw }).to.include({ ok: false, seq: 3, eventHash: third });
      });
    }

    it('names the entry that is missing', async () => {
      const end = await audit(change('DELETE FROM journal WHERE seq = 2'));
      expect(end.code).to.equal(1);
      expect(end.stderr).to.match(/entry 2 is bad .*: its number is 3, after 1/);
    });

    it('says when the entries are sound, and what the store made of them is not', async () => {
      for (const what of [
        'UPDATE accounts SET available = available + 1 WHERE account = (SELECT max(account) FROM accounts)',
        'UPDATE house SET supply = supply - 1',
        "UPDATE resources SET context = 'no JSON' WHERE resource = 1",
      ]) {
        const end = await audit(change(what));
        expect(end.code, what).to.equal(1);
        expect(end.stderr).to.match(/^svc-node: the audit failed: [^\n]+\n$/);
      }
    });
  });

  it('refuses a directory without a journal', async () => {
    const empty = scratch();
    expect(await audit(empty)).to.include({
      code: 1,
      stdout: '',
      stderr: `svc-node: there is no journal in ${empty}\n`,
    });
  });
});

describeMongo('svc-node audit on MongoDB', () => {
  after(tidy);

  it('audits next to a node that continues to write', async () => {
    const database = await TestDatabase.fresh();
    const env = { SVC_STORE: database.url };
    const node = await startHere(scratch(), env);
    let writing = true;
    const writer = (async () => {
      while (writing) {
        await faucet(node, node.did);
        // Without a pause the journal would grow faster than the audit.
        await pause(realEnvironment, 10);
      }
    })();
    const reports: AuditReport[] = [];
    for (let i = 0; i < 2; i++) {
      const end = await svcNode(['audit', '--data', node.dataDir, '--json'], { env, apart: true });
      expect(end.code, end.stderr).to.equal(0);
      reports.push(json<AuditReport>(end));
    }
    writing = false;
    await writer;
    expect(reports.at(-1)!.entries).to.be.above(reports[0]!.entries);
    const end = await svcNode(['audit', '--data', node.dataDir], { env });
    expect(end).to.include({ code: 0, stderr: '' });
    expect(end.stdout)
      .to.match(/^Journal of devnet in mongodb:\/\/127\.0\.0\.1:/)
      .and.include('OK: ');
    await node.stop();
    await database.dispose();
  });
});
