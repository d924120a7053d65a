/**
 * The reputation records of both parties when a contract ends (docs/reference/reputation.md#records).
 */

import { loserOf, type RulingFollowUp } from '../dispute/workflow.js';
import type { SubCommand } from '../kernel/resource.js';
import { finishedParts } from '../reputation/trade.js';
import { type ContractContext, deadlineOf } from './machine.js';

/** Whether the newest submission of every milestone was in time; without milestones, whether the contract ended by its deadline. */
function inTime(context: ContractContext, time: number): boolean {
  const { milestones } = context;
  if (milestones.length === 0) return time <= (deadlineOf(context) ?? time);
  return milestones.every(({ submission }) => submission?.inTime ?? true);
}

export interface Ended {
  readonly id: string;
  readonly context: ContractContext;
  readonly time: number;
  /** The party against which the arbiter decided. */
  readonly loser?: string | undefined;
}

export const recordsOf = ({ id, context, time, loser }: Ended): readonly SubCommand[] =>
  finishedParts({
    ref: id,
    client: context.client,
    provider: context.provider,
    price: context.amount,
    inTime: inTime(context, time),
    loser,
  });

/**
 * Reputation records of the parties. A contract that its parties cancelled gives none, because it was not carried out.
 */
export const contractEnding: RulingFollowUp = ({ id, context }, ruled, by) => {
  const loser = loserOf(ruled, by);
  if (ruled.ruling.outcome === 'refund' && loser === undefined) return [];
  return recordsOf({ id, context: context as unknown as ContractContext, time: by.time, loser });
};
