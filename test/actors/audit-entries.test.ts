/** Every change of a stored entry is found by the audit, which names the first bad entry. */
import { expect } from 'chai';
import { canonical, sha256Hex } from '../../src/core/canonical.js';
import { chainHashOf } from '../../src/store/entry.js';
import type { MemoryEntryRow } from '../../src/store/memory/tables.js';
import type { Bench } from '../world/bench.js';
import { Falsified } from '../world/falsified.js';
import { changes, coreOf, forge, overwrite, rechain, resigned } from '../world/history.js';
import { ada, didOf, signer } from '../world/people.js';

/** One journal for all tests: each falsifies it and restores it. */
let life: Falsified;
let bench: Bench;

const rows = () => life.rows;
const flaw = () => life.flaw();
const restore = () => life.restore();

async function live(): Promise<void> {
  life = await Falsified.open();
  bench = life.bench;
}

describe('audit of a changed text names that entry', () => {
  before(live);
  afterEach(restore);

  it('whatever place of whatever entry is changed', async () => {
    expect(
      life.unnoticed((row) =>
        [...changes(JSON.parse(row.coreText))].map(({ path, changed }) => [
          path,
          { ...row, coreText: canonical(changed) },
        ]),
      ),
    ).to.deep.equal([]);
  });

  it('whatever place of whatever payload is changed', async () => {
    expect(
      life.unnoticed((row) =>
        [...changes(JSON.parse(row.payloadText))].map(({ path, changed }) => [
          path,
          { ...row, payloadText: canonical(changed) },
        ]),
      ),
    ).to.deep.equal([]);
  });

  it('and the audit says which, for each of them', async () => {
    for (let seq = 1; seq <= rows().length; seq++) {
      overwrite(bench, seq, {
        coreText: rows()[seq - 1]!.coreText.replace('"network":"devnet"', '"network":"devnot"'),
      });
      expect(await flaw(), `entry ${seq}`).to.include({ seq });
      restore();
    }
  });

  it('also where the text means the same and is only written otherwise', async () => {
    overwrite(bench, 4, { coreText: `${rows()[3]!.coreText.slice(0, -1)} }` });
    expect(await flaw()).to.include({ seq: 4, what: 'the entry is not in canonical form' });
    restore();
    overwrite(bench, 4, { payloadText: rows()[3]!.payloadText.replace('{', '{ ') });
    expect(await flaw())
      .to.include({ seq: 4, check: 'form' })
      .with.property('what')
      .that.matches(/^the payload is not in/);
  });

  it('also where it is no JSON at all', async () => {
    overwrite(bench, 5, { payloadText: 'no JSON' });
    expect(await flaw())
      .to.include({ check: 'file' })
      .with.property('what')
      .that.matches(/it cannot be read/);
    restore();
    for (const field of ['entryHash', 'prevEntry', 'chainHash'] as const) {
      overwrite(bench, 5, { [field]: 'f'.repeat(64) });
      expect(await flaw(), field).to.include({ seq: 5 });
      restore();
    }
  });
});

describe('audit of an entry that was forged, and all hashes made to fit, names that entry', () => {
  before(live);
  afterEach(restore);

  /**
   * Members that only the home states and no signature covers. Only the chain of entry hashes, which peers and anchors hold,
   * fixes them.
   */
  const unsigned = /^\.(time|home|idem)/;

  it('whatever was signed or follows from it', async () => {
    const forged = (row: MemoryEntryRow, seq: number) =>
      [...changes(JSON.parse(row.coreText))]
        .filter(({ path }) => !unsigned.test(path))
        .map(({ path, changed }): [string, MemoryEntryRow] => {
          const coreText = canonical(changed);
          const entryHash = sha256Hex(coreText);
          return [path, { ...row, coreText, entryHash, chainHash: chainHashOf(seq, row.prevEntry, entryHash) }];
        });
    expect(life.unnoticed(forged)).to.deep.equal([]);
  });

  it('and the audit says which, for each of them', async () => {
    for (let seq = 1; seq <= rows().length; seq++) {
      const core = coreOf(rows()[seq - 1]!);
      forge(bench, seq, { ...core, event: { ...core.event, ts: core.event.ts + 1 } });
      expect(await flaw(), `entry ${seq}`).to.include({ seq });
      restore();
    }
  });

  it('an act that costs more, or is later, than its signer has agreed to', async () => {
    const seq = rows().findIndex((row) => coreOf(row).event.type === 'transfer.sent') + 1;
    const core = coreOf(rows()[seq - 1]!);
    for (const [bounds, what] of [
      [{ most: 34 }, /it costs 35, and its signer has agreed to 34/],
      [{ until: core.time - 1 }, /it was signed to be valid until/],
    ] as const) {
      forge(bench, seq, resigned(core, bounds));
      expect(await flaw())
        .to.include({ seq, check: 'replay' })
        .with.property('what')
        .that.matches(what);
      restore();
    }
    forge(bench, seq, resigned(core, { most: 35, until: core.time }));
    expect((await flaw())?.what).not.to.match(/agreed|valid until/);
    restore();
  });

  it('an entry signed with another key', async () => {
    const core = coreOf(rows()[3]!);
    const { hash, sig: _, ...body } = core.event;
    const sig = signer('eve').sign(`svc:event:v1:${canonical(body)}`);
    forge(bench, 4, { ...core, event: { ...body, hash, sig } });
    expect(await flaw()).to.include({ seq: 4, what: 'the signature does not verify' });
  });

  for (const [what, change, says] of [
    ['skipped a nonce', { nonce: 3 }, /nonce 3 of .* comes after 1/],
    ['used a nonce twice', { nonce: 1 }, /nonce 1 of .* comes after 1/],
    ['left its own chain', { prev: 'ab'.repeat(32) }, /prev is not the hash/],
    ['forgot its own past', { prev: null }, /prev is not the hash/],
    ['signed for another network', { network: 'mainnet' }, /it belongs to mainnet/],
    ['named another type', { type: 'escrow.refunded' }, /its type is escrow.refunded and should be/],
  ] as const) {
    it(`of a signer who ${what}`, async () => {
      // Ada's second event.
      const seq = rows().findIndex((row) => coreOf(row).event.issuer === ada && coreOf(row).event.nonce === 2) + 1;
      forge(bench, seq, resigned(coreOf(rows()[seq - 1]!), change));
      const found = await flaw();
      expect(found?.seq).to.equal(seq);
      expect(found?.what).to.match(says);
    });
  }

  it('a time that goes back', async () => {
    const core = coreOf(rows()[3]!);
    forge(bench, 4, { ...core, time: core.time - 86_400_000 });
    expect(await flaw()).to.include({ seq: 4, what: 'its time is before that of an earlier entry of its home' });
  });

  it('a home that did not appoint its system key', async () => {
    const core = coreOf(rows()[1]!);
    forge(bench, 2, { ...core, home: didOf('other node') });
    expect(await flaw()).to.include({ seq: 2 });
  });
});

describe('audit of the order of entries', () => {
  before(live);
  afterEach(restore);

  it('one dropped: names the place', async () => {
    for (let seq = 1; seq < rows().length; seq++) {
      rows().splice(seq - 1, 1);
      expect(await flaw(), `without ${seq}`).to.include({ seq });
      restore();
    }
  });

  it('one dropped and the chain made to fit: names where it is missed', async () => {
    for (let seq = 1; seq < rows().length; seq++) {
      rows().splice(seq - 1, 1);
      rechain(bench);
      // A missing entry shows at the signer's next entry, wherever that is. All entries before it are valid.
      expect((await flaw())?.seq, `without ${seq}`).to.satisfy((at: number) => at === 0 || at >= seq);
      restore();
    }
  });

  it('the last ones cut off: the projections are ahead', async () => {
    for (const cut of [1, 2, 5]) {
      rows().splice(-cut, cut);
      expect(await flaw(), `${cut} cut off`).to.include({ seq: 0 });
      restore();
    }
  });

  it('two exchanged: names the first', async () => {
    for (let seq = 1; seq < rows().length; seq++) {
      const [a, b] = [rows()[seq - 1]!, rows()[seq]!];
      rows().splice(seq - 1, 2, b, a);
      expect(await flaw(), `${seq} and ${seq + 1}`).to.include({ seq });
      restore();
    }
  });

  it('one twice: names the second', async () => {
    rows().splice(5, 0, rows()[4]!);
    rechain(bench);
    expect(await flaw()).to.include({ seq: 6 });
  });
});
