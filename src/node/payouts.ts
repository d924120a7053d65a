/** What this node asks of a withdrawal by another home, as of one by a resident (docs/reference/remote-requests.md#withdrawals). */
import { receiverGiven } from '../chain/contracts/controller.js';
import type { ChainAccess } from '../chain/follower/chain-follower.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import { noChain } from '../http/render/chain-answer.js';
import type { Payout } from '../peers/trade/trade-options.js';

interface PayoutRules {
  readonly onChain: ChainAccess | undefined;
  readonly minFee: number;
}

export async function refusalOfPayout(
  { to, fee = 0 }: Payout,
  { onChain, minFee }: PayoutRules,
): Promise<Refusal | undefined> {
  if (!onChain) return noChain;
  if (fee < minFee) return refuse('UNPROCESSABLE', `fee must be at least ${minFee}`);
  const receiver = await receiverGiven(to, onChain.contracts);
  return isRefusal(receiver) ? receiver : undefined;
}
