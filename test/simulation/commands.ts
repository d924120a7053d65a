/** Random commands, as data that shrinks and prints well. */
import fc from 'fast-check';
import type { ModelRule } from './model.js';

export const people = ['ada', 'ben', 'cyd', 'dan'] as const;
const who = fc.constantFrom(...people);
const anyone = fc.constantFrom(...people, 'eve');
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 100, 10_000) },
);
/** Few escrows, so that commands concern the same ones; the last is often unknown. */
const which = fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 3);
/** A party by its role in the escrow, or a person by name. */
const party = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('depositor', 'beneficiary', 'arbiter') },
  { weight: 1, arbitrary: anyone },
);
const hours = fc.integer({ min: 1, max: 24 * 40 });

export type RuleDraft = Omit<ModelRule, 'id' | 'after'> & { readonly afterHours?: number };

const requires = {
  requiresEvidence: fc.option(fc.boolean(), { nil: undefined, freq: 4 }),
  requiresReason: fc.option(fc.boolean(), { nil: undefined, freq: 4 }),
};
const rule: fc.Arbitrary<RuleDraft> = fc.oneof(
  fc.record({
    type: fc.constant('manual' as const),
    by: fc.option(
      fc.uniqueArray(fc.constantFrom('depositor', 'beneficiary', 'arbiter', ...people), { minLength: 1, maxLength: 3 }),
      { nil: undefined },
    ),
    ...requires,
  }),
  fc.record({ type: fc.constant('time' as const), afterHours: hours, ...requires }),
  fc.record({ type: fc.constant('hash' as const), ...requires }),
  fc.uniqueArray(anyone, { minLength: 1, maxLength: 4 }).chain((signers) =>
    fc.record({
      type: fc.constant('signature' as const),
      signers: fc.constant(signers),
      threshold: fc.option(fc.integer({ min: 1, max: signers.length }), { nil: undefined }),
      ...requires,
    }),
  ),
  fc.record({ type: fc.constant('parcel-scan' as const), ...requires }),
) as fc.Arbitrary<RuleDraft>;

const claim = {
  which,
  who: party,
  /** Exactly the remainder, or a number. */
  amount: fc.oneof({ weight: 2, arbitrary: fc.constant('rest' as const) }, { weight: 3, arbitrary: amount }),
  cites: fc.option(fc.constantFrom('r1', 'r2', 'manual', 'hash', 'parcel-scan', 'no-such'), {
    nil: undefined,
    freq: 1,
  }),
  secret: fc.constantFrom<('none' | 'wrong' | 'right')[]>('none', 'wrong', 'right', 'right', 'right'),
  signers: fc.uniqueArray(anyone, { maxLength: 4 }),
  reason: fc.boolean(),
  /** Whether the command states resourcePrev, without which signatures are not valid. */
  states: fc.boolean(),
};

const creation = {
  do: fc.constant('create' as const),
  which: fc.nat(5),
  depositor: who,
  beneficiary: who,
  arbiter: fc.option(who, { nil: null }),
  amount,
  release: fc.array(rule, { minLength: 1, maxLength: 2 }),
  refund: fc.array(rule, { maxLength: 2 }),
  expiresInHours: fc.option(hours, { nil: null }),
  autoFund: fc.boolean(),
};

/** A valid escrow between three different people. */
const soundCreation = (index: number) =>
  fc
    .tuple(fc.record({ ...creation, amount: fc.integer({ min: 5, max: 30 }) }), fc.shuffledSubarray([...people]))
    .map(([record, order]) => {
      const [depositor = 'ada', beneficiary = 'ben', arbiter = 'cyd'] = [...new Set([...order, ...people])];
      return { ...record, which: index, depositor, beneficiary, arbiter: record.arbiter && arbiter };
    });

export const command = fc.oneof(
  fc.record({ do: fc.constant('mint' as const), to: who, amount }),
  fc.record({ do: fc.constant('transfer' as const), from: who, to: anyone, amount, fee: fc.nat(3) }),
  fc.record({ do: fc.constant('freeze' as const), whom: who, frozen: fc.boolean() }),
  fc.record({ do: fc.constant('collect' as const), to: who, amount: fc.integer({ min: 1, max: 6 }) }),
  fc.record(creation),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fund' as const), which, who: party, exact: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), ...claim }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund' as const), ...claim }) },
  fc.record({ do: fc.constant('expire' as const), which, who: fc.constantFrom('depositor', 'eve', 'clock') }),
  fc.record({
    do: fc.constant('giveUp' as const),
    which,
    who: fc.constantFrom('depositor', 'beneficiary', 'eve', 'clock'),
  }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('advance' as const), hours }) },
  fc.record({ do: fc.constant('restart' as const) }),
);

/** Two escrows first, then any commands. */
export const sequence = (longest: number) =>
  fc
    .tuple(soundCreation(0), soundCreation(1), fc.array(command, { minLength: 5, maxLength: longest, size: 'max' }))
    .map(([first, second, rest]): SimulatedCommand[] => [first, second, ...rest]);

export type SimulatedCommand = typeof command extends fc.Arbitrary<infer T> ? T : never;
