/** What an entry that is not executed may do with an escrow that everyone may read. */
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { violationOfEscrows } from '../../../src/peers/replica/escrow-moves.js';
import type { EntryCore } from '../../../src/store/entry.js';
import { ada, ben, cyd, dan } from '../../world/people.js';

const escrow = {
  ...{ depositor: ada, beneficiary: ben, arbiter: cyd, amount: 100, funded: 100, released: 20, refunded: 0 },
  ...{ releaseRules: [], refundRules: [], revocable: false, purpose: null, expiresAt: null, lapsesAt: 1 },
};
const owned = { ...escrow, purpose: { kind: 'order', id: 'ord-1' } };
const paid = (amount: number): Move => ({ op: 'release', escrow: 'esc-1', from: ada, to: ben, amount });

interface Case {
  readonly says?: RegExp;
  readonly moves?: readonly Move[];
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  readonly writes?: readonly (readonly [kind: string, id: string])[];
  readonly law?: string;
  readonly signer?: string;
}

const cases: { readonly [name: string]: Case } = {
  'a release by a party': { after: { ...escrow, released: 50 } },
  'the whole rest': { moves: [paid(80)] },
  'an expiry that anyone asks for': {
    moves: [{ op: 'expire', escrow: 'esc-1', from: ada, amount: 80 }],
    signer: dan,
  },
  'a release with the order that owns it': { before: owned, writes: [['info-order', 'ord-1']], law: 'info-order-1-a' },
  'a release of an escrow that is withheld': { before: undefined as never, signer: dan },
  'a release by a stranger': { signer: dan, says: /none of its signers is a party of escrow\/esc-1/ },
  'a release by another kind': { law: 'contract-1-a', says: /decided by contract-1-a, and it moves Tokens of escrow/ },
  'a release without the order that owns it': {
    before: owned,
    writes: [['info-order', 'ord-2']],
    says: /does not write the owner of escrow\/esc-1/,
  },
  'more than the rest': { moves: [paid(81)], says: /not covered by the rest of escrow\/esc-1/ },
  'more than the rest, in two moves': { moves: [paid(41), paid(40)], says: /not covered by the rest/ },
  'a lock of more than the amount': {
    moves: [{ op: 'lock', escrow: 'esc-1', from: ada, to: ben, amount: 1 }],
    says: /not covered by the rest/,
  },
  'a release that the new state does not count': { after: { ...escrow }, says: /not in the revealed state/ },
  'Tokens of another depositor': {
    moves: [{ op: 'refund', escrow: 'esc-1', from: cyd, amount: 1 }],
    says: /not between the parties of escrow\/esc-1/,
  },
  'Tokens for another beneficiary than the new escrow has': {
    moves: [{ op: 'reserve', escrow: 'esc-1', from: ada, to: dan, amount: 1 }],
    before: undefined as never,
    after: escrow,
    says: /not between the parties/,
  },
  'Tokens of an escrow that is not written': {
    moves: [{ ...paid(1), escrow: 'esc-2' } as Move],
    says: /moves Tokens of escrow\/esc-2, which it does not write/,
  },
};

describe('the moves of an escrow in an entry that is not executed', () => {
  for (const [name, given] of Object.entries(cases)) {
    it(`${given.says ? 'refuses' : 'takes'} ${name}`, () => {
      const { moves = [paid(30)], writes = [], law = 'escrow-3-a', signer = ada, says, after } = given;
      const before = 'before' in given ? given.before : escrow;
      const versions = [['escrow', 'esc-1'] as const, ...writes].map(([kind, id]) => ({ kind, id }));
      const found = violationOfEscrows({ law, moves, versions } as unknown as EntryCore, {
        definition: catalogue.definitions.escrow!,
        before: () => before && { context: before as JsonObject },
        after: () => after && { context: after },
        signers: [signer],
      });
      if (says) expect(found).to.match(says);
      else expect(found).to.equal(undefined);
    });
  }
});
