/** The commands of the control socket about peers (docs/reference/feeds.md#membership). */
import { receiverGiven } from '../../chain/contracts/controller.js';
import type { Did } from '../../core/codecs/did.js';
import { formatMultiaddr, parsePeerAddress } from '../../core/codecs/multiaddr.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { ApiKeyRegistry } from '../../http/access/api-keys.js';
import type { Peering } from '../../peers/peering/peering.js';
import type { TradeLimit } from '../../peers/trade/limits.js';
import type { RemoteTrading } from '../../peers/trade/trade.js';
import type { AskedPayout } from '../../peers/trade/trade-options.js';
import { act } from './act.js';
import type { ControlHandlers } from './control.js';

const address = is.object({ address: is.text(350, 1) });
const did = is.object({ did: is.did });
const given = is.object({ id: is.text(128, 1), reason: is.text(1_000, 1) });
const limit = is.object({
  did: is.did,
  mostAtRisk: is.optional(is.nullable(is.integer(0))),
  answersPerSecond: is.optional(is.integer(1, 100_000)),
});
const payout = is.object({
  did: is.did,
  amount: is.amount,
  to: is.evmAddress,
  fee: is.optional(is.integer(1)),
  idempotencyKey: is.optional(is.text(255, 1)),
});
const chosen = is.object({ did: is.did, chainHash: is.text(64, 64) });

export interface PeerCommandParts {
  /** Undefined for a node without peers. */
  readonly peering: Peering | undefined;
  readonly trade: RemoteTrading | undefined;
  /** How long a command waits for another home's answer, ms. */
  readonly answerWaitMs: number;
}

export function peerHandlers(
  { peering, trade, answerWaitMs }: PeerCommandParts,
  { adminLog }: Pick<ApiKeyRegistry, 'adminLog'>,
  by: string,
): ControlHandlers {
  /** Runs the command on this node's peers, and logs it. */
  async function around(name: string, details: object, run: (peering: Peering) => Promise<object | Refusal>) {
    if (!peering) return refuse('UNPROCESSABLE', 'this node does not connect to peers: set SVC_LISTEN or SVC_PEERS');
    return adminLog.around<object>({ act: name, by, details: details as never }, () => run(peering));
  }
  /** There may be trade again with homes that have no further news: what they have asked for waits. */
  const lookAgain = (done: object | Refusal): void => {
    if (!isRefusal(done)) trade?.start();
  };
  return {
    'peers.list': act(is.object({}), async () => ({
      ...{ listens: peering?.addresses.map(formatMultiaddr) ?? [], peerId: peering?.peerId ?? null },
      ...{ peers: peering?.views() ?? [], homes: (await peering?.copies()) ?? [] },
    })),
    'peers.evidence': act(
      did,
      async ({ did: home }) =>
        (await peering?.evidence(home as Did)) ?? refuse('NOT_FOUND', `nothing is proven against ${home}`),
    ),
    'peers.add': act(address, async ({ address: text }) => {
      const parsed = parsePeerAddress(text);
      if (typeof parsed === 'string') return invalid('address', parsed);
      return around('peers.add', { address: text }, async (peers) => {
        const member = await peers.add(parsed);
        lookAgain(member);
        return isRefusal(member) ? member : { did: member.did, addresses: member.addresses.map(formatMultiaddr) };
      });
    }),
    'peers.remove': act(did, ({ did: home }) =>
      around('peers.remove', { did: home }, async (peers) => (await peers.remove(home as Did)) ?? { did: home }),
    ),
    'peers.forget': act(did, ({ did: home }) =>
      around('peers.forget', { did: home }, async (peers) => (await peers.forget(home as Did)) ?? { did: home }),
    ),
    'peers.accounts': act(is.object({}), async () => ({ accounts: (await peering?.accounts()) ?? [] })),
    'peers.give-up': act(given, ({ id, reason }) =>
      around('peers.give-up', { id, reason }, async () => {
        const done = (await trade?.giveUp(id, reason)) ?? refuse('NOT_FOUND', `there is no remote request ${id}`);
        return isRefusal(done) ? done : { id, ...done };
      }),
    ),
    'peers.withdraw': act(payout, ({ did: home, to: given, ...asked }) =>
      around('peers.withdraw', { did: home, to: given, ...asked }, async () => {
        const to = await receiverGiven(given, undefined);
        if (isRefusal(to)) return to;
        const done = await trade?.withdraw(home, { ...asked, to } as AskedPayout, answerWaitMs);
        return done ?? refuse('NOT_FOUND', `${home} is not a followed home`);
      }),
    ),
    'peers.limit': act(limit, ({ did: home, ...change }) =>
      around('peers.limit', { did: home, ...change }, async (peers) => {
        const now = await peers.limit(home as Did, change as Partial<TradeLimit>);
        trade?.limitChanged(home);
        return isRefusal(now) ? now : { did: home, ...now };
      }),
    ),
    'peers.accept': act(chosen, ({ did: home, chainHash }) =>
      around('peers.accept', { did: home, chainHash }, async (peers) => {
        const done = (await peers.accept(home as Did, chainHash)) ?? { did: home, chainHash };
        lookAgain(done);
        return done;
      }),
    ),
  };
}
