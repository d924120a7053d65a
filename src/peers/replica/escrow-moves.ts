/**
 * What an entry may do with escrows if it is not executed: an escrow that everyone may read bounds its moves, although
 * the order or the contract that owns it is withheld (docs/reference/feeds.md#withheld-payloads).
 */
import { type EscrowContext, remaining } from '../../machines/escrow/machine.js';
import type { Resource } from '../../machines/kernel/definition.js';
import type { Move } from '../../machines/kernel/posting.js';
import type { AnyDefinition } from '../../machines/kernel/resource.js';
import { partiesOf } from '../../machines/kernel/visibility.js';
import type { EntryCore } from '../../store/entry.js';
import type { Violation } from '../../verify/entry-text.js';

type EscrowMove = Extract<Move, { readonly escrow: string }>;

export interface EscrowReading {
  readonly definition: AnyDefinition;
  /** The state before the entry; undefined if it did not exist or is withheld. */
  readonly before: (id: string) => Pick<Resource, 'context'> | undefined;
  /** The state after the entry, if the home has revealed it. */
  readonly after: (id: string) => Pick<Resource, 'context'> | undefined;
  /** Those whose requests the entry contains. */
  readonly signers: readonly string[];
}

const contextOf = (found: Pick<Resource, 'context'> | undefined): EscrowContext | undefined =>
  found?.context as unknown as EscrowContext | undefined;

export function violationOfEscrows(core: EntryCore, reading: EscrowReading): Violation | undefined {
  const moves = core.moves.filter((move): move is EscrowMove => 'escrow' in move);
  for (const id of new Set(moves.map(({ escrow }) => escrow))) {
    if (!core.versions.some((each) => each.kind === 'escrow' && each.id === id))
      return `it moves Tokens of escrow/${id}, which it does not write`;
    const own = moves.filter(({ escrow }) => escrow === id);
    const before = contextOf(reading.before(id));
    const after = contextOf(reading.after(id));
    const flaw =
      violationOfParties(own, before ?? after) ??
      (before && (violationOfOwner(core, own, before, reading) ?? violationOfSums(own, before, after)));
    if (flaw !== undefined) return `${flaw} of escrow/${id}`;
  }
  return undefined;
}

function violationOfParties(moves: readonly EscrowMove[], escrow: EscrowContext | undefined): Violation | undefined {
  if (!escrow) return undefined;
  const strange = moves.some(
    (move) => move.from !== escrow.depositor || ('to' in move && move.to !== escrow.beneficiary),
  );
  return strange ? 'its moves are not between the parties' : undefined;
}

/** An escrow moves with the resource that owns it; one without an owner moves by its parties, or at its expiry. */
function violationOfOwner(
  { versions, law }: EntryCore,
  moves: readonly EscrowMove[],
  { purpose, ...escrow }: EscrowContext,
  { definition, signers }: EscrowReading,
): Violation | undefined {
  if (purpose) {
    const isOwner = ({ kind, id }: EntryCore['versions'][number]) => id === purpose.id && kind.endsWith(purpose.kind);
    return versions.some(isOwner) ? undefined : 'it does not write the owner';
  }
  if (!/^(escrow|remote-answer)-/.test(law)) return `it was decided by ${law}, and it moves Tokens`;
  if (moves.every(({ op }) => op === 'expire' || op === 'unreserve')) return undefined;
  const parties = definition.form === 'machine' ? partiesOf(definition, { ...escrow, purpose } as never) : new Set();
  return signers.some((did) => parties.has(did)) ? undefined : 'none of its signers is a party';
}

/** The Tokens that leave it were in it, and its new state counts them. */
function violationOfSums(
  moves: readonly EscrowMove[],
  before: EscrowContext,
  after: EscrowContext | undefined,
): Violation | undefined {
  const sumOf = (...ops: readonly Move['op'][]) =>
    moves.filter(({ op }) => ops.includes(op)).reduce((sum, { amount }) => sum + amount, 0);
  const now = {
    funded: before.funded + sumOf('lock'),
    released: before.released + sumOf('release'),
    refunded: before.refunded + sumOf('refund', 'expire'),
  };
  if (remaining({ ...before, ...now }) < 0 || now.funded > before.amount)
    return 'its moves are not covered by the rest';
  const members = ['funded', 'released', 'refunded'] as const;
  return after && members.some((member) => after[member] !== now[member])
    ? 'its moves are not in the revealed state'
    : undefined;
}
