/** What an audit has verified is not verified again by the next one, if the key of the home has signed it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AssertionError } from '../../src/core/refusal.js';
import { type AuditOptions, type AuditReport, audit } from '../../src/verify/audit.js';
import { PrefixFile } from '../../src/verify/verified-prefix.js';
import { scratch, tidy } from '../support/scratch.js';
import { accepted, network } from '../world/bench.js';
import { Falsified } from '../world/falsified.js';
import { coreOf, forge, overwrite } from '../world/history.js';
import { signer } from '../world/people.js';

describe('a verified prefix', () => {
  let life: Falsified;
  let dir: string;
  beforeEach(async () => {
    life = await Falsified.open();
    dir = scratch();
  });
  after(tidy);

  const file = () => join(dir, 'audited');
  const prefixOf = (who?: string): PrefixFile =>
    new PrefixFile({
      dir,
      network,
      catalogue: life.bench.catalogue,
      signer: who === undefined ? undefined : signer(who),
    });
  const report = (options: AuditOptions = {}): Promise<AuditReport> =>
    audit(life.bench.store, life.bench.catalogue, network, { prefix: prefixOf('node'), ...options });
  const without = ({ known: _, ...others }: AuditReport) => others;

  it('is known to the next audit, which has the same totals', async () => {
    const first = await report();
    expect(first).to.include({ ok: true, known: 0 });
    const second = await report({ threads: 2, pageSize: 3 });
    expect(second.known).to.equal(first.entries);
    expect(without(second)).to.deep.equal(without(first));
  });

  it('is continued with the entries after it, and then reaches further', async () => {
    const { entries } = await report();
    accepted(await life.bench.transfer('ada', 'dan', 1));
    expect(await report()).to.include({ ok: true, known: entries, entries: entries + 1 });
    expect(await report()).to.include({ ok: true, known: entries + 1, entries: entries + 1 });
    const core = coreOf(life.rows[entries]!);
    forge(life.bench, entries + 1, { ...core, event: { ...core.event, ts: core.event.ts + 1 } });
    expect((await report()).flaw).to.deep.include({ seq: entries + 1, check: 'hash' });
  });

  it('is remembered before the end, for an audit that is interrupted', async () => {
    let passed = 0;
    const companion = {
      saw: () => {},
      pause: async () => {
        passed++;
        if (passed === 3) throw new AssertionError('interrupted');
      },
    };
    expect((await report({ companion, pageSize: 4, remembersEvery: 4 })).ok).to.equal(false);
    expect(await report()).to.include({ ok: true, known: 12 });
  });

  it('does not hide a changed byte of its entries', async () => {
    await report();
    for (let seq = 1; seq <= life.rows.length; seq++) {
      for (const member of ['coreText', 'payloadText', 'entryHash', 'chainHash', 'prevEntry'] as const) {
        const text = life.rows[seq - 1]![member];
        const [from, to] = member === 'payloadText' ? ['"id":"', '"id":"x'] : ['"did:svc:', '"did:svx:'];
        overwrite(life.bench, seq, { [member]: member.endsWith('Text') ? text.replace(from, to) : 'f'.repeat(64) });
        const { flaw } = await report();
        expect(flaw, `${member} of ${seq}`).to.deep.equal((await life.bench.audit()).flaw);
        expect(flaw?.seq, `${member} of ${seq}`).to.be.within(seq, seq + 1);
        life.restore();
      }
    }
  });

  it('does not hide a changed balance', async () => {
    await report();
    const [did, account] = [...life.tables.accounts][1]!;
    life.tables.accounts.set(did, { ...account, available: account.available + 1 });
    const { known, flaw } = await report();
    expect(known).to.equal(life.rows.length);
    expect(flaw).to.include({ check: 'projection' });
  });

  it('is not that of another journal: all is verified', async () => {
    await report();
    const core = coreOf(life.rows[7]!);
    forge(life.bench, 8, { ...core, event: { ...core.event, ts: core.event.ts + 1 } });
    const { known, flaw } = await report();
    expect(known).to.equal(0);
    expect(flaw).to.include({ seq: 8, check: 'hash' });
  });

  for (const [title, spoil] of [
    ['a changed balance', (text: string) => text.replace('"available":', '"available":1')],
    ['a missing line', (text: string) => text.split('\n').toSpliced(1, 1).join('\n')],
    ['another number', (text: string) => text.replace(/"seq":\d+,"chainHash"/g, '"seq":3,"chainHash"')],
    ['another program', (text: string) => text.replace(/"program":"[^ ]+/, '"program":"0.0.1')],
    ['no signature', (text: string) => text.replace(/"sig":"[^"]+"/, `"sig":"${'A'.repeat(86)}"`)],
    ['no statement', (text: string) => text.split('\n').slice(0, -1).join('\n')],
  ] as const) {
    it(`counts for nothing with ${title}`, async () => {
      await report();
      const text = readFileSync(file(), 'utf8');
      const spoiled = spoil(text);
      expect(spoiled).not.to.equal(text);
      writeFileSync(file(), spoiled);
      expect(await report({ prefix: prefixOf() })).to.include({ ok: true, known: 0 });
    });
  }

  it('counts for nothing when another key than that of the home has signed it', async () => {
    await report({ prefix: prefixOf('ada') });
    expect(existsSync(file())).to.equal(false);
    await report();
    const lines = readFileSync(file(), 'utf8').split('\n');
    const statement = JSON.parse(lines.at(-1)!);
    const { sig: _, ...prefix } = { ...statement, node: signer('ada').did };
    const { canonical } = await import('../../src/core/canonical.js');
    const sig = signer('ada').sign(`svc:verified:v1:${canonical(prefix)}`);
    writeFileSync(file(), [...lines.slice(0, -1), JSON.stringify({ ...prefix, sig })].join('\n'));
    expect(await report({ prefix: prefixOf() })).to.include({ known: 0 });
  });

  it('is forgotten on request', async () => {
    await report();
    expect(await report({ isFull: true, prefix: prefixOf() })).to.include({ ok: true, known: 0 });
    expect(existsSync(file())).to.equal(false);
  });

  it('is not made of a journal that has a flaw', async () => {
    overwrite(life.bench, 5, { coreText: `${life.rows[4]!.coreText} ` });
    await report();
    expect(existsSync(file())).to.equal(false);
  });
});
