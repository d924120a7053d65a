/** What an audit against the chain finds that the journal alone does not show. */
import { expect } from 'chai';
import { type Anchor, rootOf } from '../../../src/chain/anchors/anchor.js';
import { advance, streamStart } from '../../../src/chain/settlement/stream.js';
import type { ChainFacts } from '../../../src/chain/verifier/chain-facts.js';
import { ChainVerifier, type ChainViolation } from '../../../src/chain/verifier/chain-verifier.js';
import type { NumberedEntry } from '../../../src/store/entry.js';
import { accepted, Bench, network } from '../../world/bench.js';
import { ada } from '../../world/people.js';

const to = '0x52908400098527886E0F7030069857D2E4169EE7';

/** 12 entries: mints, transfers with fees, entries without moves, a deposit, a withdrawal. */
async function life(last = 30): Promise<readonly NumberedEntry[]> {
  const bench = await Bench.open({}, { ada: 1_000, ben: 10 });
  for (let amount = 1; amount <= 5; amount++) accepted(await bench.transfer('ada', 'ben', amount, {}, { fee: 2 }));
  const credential = { type: ['VerifiableCredential', 'CapabilityCredential'], issuer: ada, credentialSubject: {} };
  accepted(await bench.ask('ada', 'identity', ada, 'register', { credential }));
  accepted(await bench.operate('account', ada, 'deposit', { amount: 40, ref: 1 }));
  accepted(await bench.ask('ada', 'account', ada, 'withdraw', { amount: 7, to }));
  accepted(await bench.transfer('ada', 'ben', last));
  return bench.store.entries({ after: 0, limit: 100 });
}

/** The chain's state after these entries were settled and anchored. */
function settled(entries: readonly NumberedEntry[], anchored: readonly [first: number, last: number][]): ChainFacts {
  let point = streamStart(network);
  const sums = { supply: 0, fees: 0 };
  for (const entry of entries) {
    point = advance(point, entry).after;
    for (const [account, delta] of entry.core.postings) {
      if (account === 'supply') sums.supply -= delta;
      if (account === 'fees') sums.fees += delta;
    }
  }
  const { supply: owed, fees } = sums;
  const anchors = anchored.map(
    ([firstEntry, lastEntry]): Anchor => ({
      ...{ firstEntry, lastEntry, root: rootOf(entries.slice(firstEntry - 1, lastEntry)) },
      ...{ txHash: `0x${lastEntry}`, blockNumber: lastEntry },
    }),
  );
  const cursor = { lastSeq: point.operation, head: point.head, anchored: anchored.at(-1)?.[1] ?? 0 };
  const held = { waiting: 3, heldBack: 1, deposits: 2, closed: false, tokenSupply: owed + 50, holdings: owed + 4 };
  return {
    ...{ chainId: 7, blockNumber: 9, cursor, anchors },
    contracts: { token: '0x1', registry: '0x2', vault: '0x3', settlement: '0x4' },
    holdings: { ...held, owed, fees },
  };
}

const verdict = (entries: readonly NumberedEntry[], facts: ChainFacts): ChainViolation | undefined => {
  const verifier = new ChainVerifier(facts, network);
  for (const entry of entries) verifier.observe(entry);
  return verifier.violation();
};

describe('a journal compared with its chain', () => {
  let entries: readonly NumberedEntry[];
  before(async () => {
    entries = await life();
  });

  it('fits, wherever the chain has come to', () => {
    for (let end = 0; end <= entries.length; end++) {
      const facts = settled(
        entries.slice(0, end),
        end < 6
          ? []
          : [
              [1, 4],
              [5, 6],
            ],
      );
      expect(verdict(entries, facts), `settled up to ${end}`).to.equal(undefined);
    }
  });

  it('whose end was cut off is found out, by what was settled and by what was anchored', () => {
    const cut = entries.slice(0, -1);
    expect(verdict(cut, settled(entries, []))?.what).to.match(/settled 10 operations, and the journal has 9/);
    const end = entries.length;
    const anchoredOnly = { ...settled(cut, []), anchors: settled(entries, [[1, end]]).anchors };
    const facts = { ...anchoredOnly, cursor: { ...anchoredOnly.cursor, anchored: end } };
    expect(verdict(cut, facts)?.what).to.match(
      new RegExp(`up to ${end} are anchored, and the journal ends at ${end - 1}`),
    );
  });

  it('that was rolled back and went on differently is found out, by what was settled and by what was anchored', async () => {
    const other = await life(31);
    expect(other.length).to.equal(entries.length);
    expect(verdict(other, settled(entries, []))?.what).to.match(/are not those of the journal/);
    const end = entries.length;
    const facts = {
      ...settled(other, []),
      anchors: settled(entries, [
        [1, 4],
        [5, end],
      ]).anchors,
    };
    const flaw = verdict(other, { ...facts, cursor: { ...facts.cursor, anchored: end } });
    expect(flaw?.seq).to.equal(5);
    expect(flaw?.what).to.match(new RegExp(`entries 5 to ${end} are not those that were anchored in 0x${end}`));
  });

  it('whose vault owes or holds something else is found out', () => {
    const facts = settled(entries, []);
    const { owed, fees, holdings } = facts.holdings;
    for (const [wrong, says] of [
      [{ owed: owed - 1 }, /owes/],
      [{ fees: fees + 1 }, /of fees/],
      [{ holdings: holdings - 1 }, /holds/],
      [{ waiting: 4 }, /holds/],
    ] as const)
      expect(verdict(entries, { ...facts, holdings: { ...facts.holdings, ...wrong } })?.what).to.match(says);
  });

  it('a head that belongs to another count of operations is another history', () => {
    const facts = settled(entries, []);
    const cursor = { ...facts.cursor, lastSeq: facts.cursor.lastSeq - 1 };
    expect(verdict(entries, { ...facts, cursor })?.what).to.match(/another history/);
  });
});
