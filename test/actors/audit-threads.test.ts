/** An audit whose threads check the entries finds what an audit in one thread finds. */
import { expect } from 'chai';
import { canonical } from '../../src/core/canonical.js';
import { StoreDamaged } from '../../src/store/store.js';
import { type AuditReport, audit } from '../../src/verify/audit.js';
import { threadsFor } from '../../src/verify/entry-checks.js';
import { network } from '../world/bench.js';
import { Falsified } from '../world/falsified.js';
import { coreOf, forge, overwrite } from '../world/history.js';

describe('an audit in several threads', () => {
  let life: Falsified;
  before(async () => {
    life = await Falsified.open();
  });
  afterEach(() => life.restore());

  const report = (threads: number, pageSize = 3): Promise<AuditReport> =>
    audit(life.bench.store, life.bench.catalogue, network, { threads, pageSize });

  /** @returns the report of both audits, which are equal */
  async function reportOfBoth(): Promise<AuditReport> {
    const alone = await report(0);
    expect(await report(2)).to.deep.equal(alone);
    return alone;
  }

  it('has the same totals', async () => {
    expect(await reportOfBoth()).to.include({ ok: true, entries: life.rows.length });
  });

  const seq = 8;
  const row = () => life.rows[seq - 1]!;
  const sig = () => coreOf(row()).event.sig;
  for (const [title, falsify, check] of [
    ['text', () => overwrite(life.bench, seq, { coreText: `${row().coreText} ` }), 'form'],
    ['hash', () => overwrite(life.bench, seq, { coreText: row().coreText.replace('"devnet"', '"devnot"') }), 'hash'],
    ['link', () => overwrite(life.bench, seq, { chainHash: 'f'.repeat(64) }), 'chain'],
    [
      'signature',
      () => {
        const core = coreOf(row());
        const other = coreOf(life.rows[seq - 2]!).event.sig;
        forge(life.bench, seq, { ...core, event: { ...core.event, sig: other === sig() ? 'A'.repeat(86) : other } });
      },
      'signature',
    ],
    [
      'payload',
      () => {
        const { salt: _, ...payload } = JSON.parse(row().payloadText);
        overwrite(life.bench, seq, { payloadText: canonical({ ...payload, salt: 'x' }) });
      },
      'form',
    ],
  ] as const) {
    it(`names the entry with a bad ${title}`, async () => {
      falsify();
      const { flaw } = await reportOfBoth();
      expect(flaw).to.include({ seq, check });
    });
  }

  it('names the first bad entry, where a step fails before a text', async () => {
    const core = coreOf(row());
    forge(life.bench, seq, { ...core, law: 'account-0-000000000000' });
    for (const later of [1, 2, 3]) {
      overwrite(life.bench, seq + later, { coreText: `${life.rows[seq + later - 1]!.coreText} ` });
      expect((await reportOfBoth()).flaw).to.include({ seq });
    }
  });

  it('names a bad entry before a page that cannot be read', async () => {
    overwrite(life.bench, 2, { coreText: `${life.rows[1]!.coreText} ` });
    const { store, catalogue } = life.bench;
    const entries: typeof store.entries = async (query) => {
      if (query.after >= 3) throw new StoreDamaged('the page is damaged');
      return store.entries(query);
    };
    const damaged = new Proxy(store, {
      get: (target, name) => {
        const member = name === 'entries' ? entries : Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const { flaw } = await audit(damaged, catalogue, network, { threads: 2, pageSize: 3 });
    expect(flaw).to.include({ seq: 2 });
    life.restore();
    const { flaw: unread } = await audit(damaged, catalogue, network, { threads: 2, pageSize: 3 });
    expect(unread).to.include({ seq: 0, check: 'file' });
    expect(unread?.what).to.equal('after entry 3 it cannot be read: the page is damaged');
  });

  it('starts no threads for a short journal', () => {
    expect(threadsFor(100)).to.equal(0);
  });
});
