/** The commands of the control socket about peers (docs/reference/feeds.md#membership). */
import type { Did } from '../../core/codecs/did.js';
import { formatMultiaddr, parsePeerAddress } from '../../core/codecs/multiaddr.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { Details } from '../../http/access/admin-log.js';
import type { ApiKeyRegistry } from '../../http/access/api-keys.js';
import { limitPeer, mirrorPeer, onPeers } from '../../http/access/peer-acts.js';
import type { Peering } from '../../peers/peering/peering.js';
import { act } from './act.js';
import type { ControlHandlers } from './control.js';

const address = is.object({ address: is.text(350, 1) });
const did = is.object({ did: is.did });
const choice = is.object({ did: is.did, remove: is.boolean });
const limited = is.object({ did: is.did, tokens: is.integer(0) });
const chosen = is.object({ did: is.did, chainHash: is.text(64, 64) });

export interface PeerCommandParts {
  /** Undefined for a node without peers. */
  readonly peering: Peering | undefined;
}

export function peerHandlers(
  { peering }: PeerCommandParts,
  { adminLog }: Pick<ApiKeyRegistry, 'adminLog'>,
  by: string,
): ControlHandlers {
  const parts = { peering, adminLog };
  const around = (act: string, details: Details, run: (peering: Peering) => Promise<object | Refusal>) =>
    onPeers(parts, { act, by, details }, run);
  return {
    'peers.list': act(is.object({}), async () => ({
      ...{ listens: peering?.addresses.map(formatMultiaddr) ?? [], peerId: peering?.peerId ?? null },
      peers: peering?.views() ?? [],
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
        return isRefusal(member) ? member : { did: member.did, addresses: member.addresses.map(formatMultiaddr) };
      });
    }),
    'peers.remove': act(did, ({ did: home }) =>
      around('peers.remove', { did: home }, async (peers) => (await peers.remove(home as Did)) ?? { did: home }),
    ),
    'peers.limit': act(limited, (input) => limitPeer(parts, by, input)),
    'peers.mirror': act(choice, (input) => mirrorPeer(parts, by, input)),
    'peers.keep': act(choice, ({ did: home, remove }) =>
      around(
        'peers.keep',
        { did: home, remove },
        async (peers) => (await peers.keep(home as Did, !remove)) ?? { did: home },
      ),
    ),
    'peers.forget': act(did, ({ did: home }) =>
      around('peers.forget', { did: home }, async (peers) => (await peers.forget(home as Did)) ?? { did: home }),
    ),
    'peers.accept': act(chosen, ({ did: home, chainHash }) =>
      around(
        'peers.accept',
        { did: home, chainHash },
        async (peers) => (await peers.accept(home as Did, chainHash)) ?? { did: home, chainHash },
      ),
    ),
  };
}
