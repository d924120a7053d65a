/** What an admin key may decide about peers (docs/reference/feeds.md#membership). */
import { isRefusal, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { callerName } from '../access/caller.js';
import { limitPeer, mirrorPeer, type PeerActParts } from '../access/peer-acts.js';
import type { Reply, Route } from '../server/route.js';
import { didParameter } from './did-parameter.js';

const limit = is.object({
  tokens: is.described(
    is.integer(0),
    'The most Tokens of that home, beyond those that it has paid out there; 0: none.',
  ),
});
const mirror = is.object({
  remove: is.optional(
    is.boolean,
    'True: it is sent nothing more, and keeps what it has. Default: it becomes a mirror.',
  ),
});

export function peerRoutes(parts: PeerActParts): Route[] {
  const common = { method: 'POST', tag: 'Node', scope: 'admin', refuses: ['NOT_FOUND', 'UNPROCESSABLE'] } as const;
  const replied = (done: object | Refusal): Reply | Refusal =>
    isRefusal(done) ? done : { status: 200, body: { ...done } };
  return [
    {
      ...common,
      path: '/api/v1/node/peers/:did/actions/limit',
      name: 'limitPeer',
      summary: 'Set how many Tokens of a peer’s home this node takes in, and pays as many here.',
      body: limit,
      example: { tokens: 500 },
      success: {
        status: 200,
        schema: a.object({ did: a.described(a.did, 'DID of the peer.'), tokens: a.described(a.tokens, 'Its limit.') }),
        description: 'the new limit',
      },
      async handle(call) {
        const did = didParameter(call);
        if (isRefusal(did)) return did;
        const { tokens } = call.body as is.TypeOf<typeof limit>;
        return replied(await limitPeer(parts, callerName(call.caller), { did, tokens }));
      },
    },
    {
      ...common,
      path: '/api/v1/node/peers/:did/actions/mirror',
      name: 'mirrorPeer',
      summary: 'Have a peer keep this node’s journal, encrypted, or end that.',
      body: mirror,
      example: {},
      success: {
        status: 200,
        schema: a.object({ did: a.described(a.did, 'DID of the peer.') }),
        description: 'the peer',
      },
      async handle(call) {
        const did = didParameter(call);
        if (isRefusal(did)) return did;
        const { remove = false } = call.body as is.TypeOf<typeof mirror>;
        return replied(await mirrorPeer(parts, callerName(call.caller), { did, remove }));
      },
    },
  ];
}
