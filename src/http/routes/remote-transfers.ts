/** Transfers to a DID at another home (docs/reference/remote-requests.md#transfers). */
import type { Did } from '../../core/codecs/did.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { tagOf } from '../../peers/tag.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import type { Signable } from '../context/write-gateway.js';
import { originIn } from '../render/render.js';
import { transferView } from '../render/transfer-view.js';
import type { Call, Reply } from '../server/route.js';
import { residencesFor } from './moving.js';
import { otherHome, sendRemote } from './remote-writes.js';

/** The other home at which the recipient has its account; undefined for this node. */
export async function homeOfRecipient(api: ApiContext, call: Call): Promise<ReadContext | Refusal | undefined> {
  const { others } = api.reading;
  const { to, home } = call.body as { readonly to: string; readonly home?: string };
  if (home !== undefined) {
    const named = api.reading.one(home);
    return isRefusal(named) || named.foreign ? named : undefined;
  }
  if (others.length === 0) return undefined;
  const recalled = (await api.writes.recalled(call))?.entry.payload;
  if (recalled) return recalled.kind === 'remote-request' ? otherHome(api, String(recalled.input.home)) : undefined;
  // The account of another home is at this one: a transfer tops it up.
  if (others.some((at) => at.home() === to)) return undefined;
  const moves = (await api.trade?.movesOf(to)) ?? [];
  if (moves.length === 0 && (await api.keystore.has(to as Did))) return undefined;
  const homes = (moves.length > 0 ? moves : await residencesFor(api, to)).map((residence) => residence.home);
  const [one, second] = homes;
  // A DID that has its key at several homes, and has not moved, is paid here if it is a resident.
  if (one === undefined || (homes.includes(api.home()) && (!second || moves.length === 0))) return undefined;
  if (!second) return otherHome(api, one);
  const tags = homes.map((did) => tagOf(did, [])).join(' or ');
  return refuse('CONFLICT', `several homes have ${to}: name one as home, ${tags}, or own for its account here`);
}

/** Asks the recipient's home for a transfer of the signer's account there. A fee is for the operator of that home. */
export function transferThere(what: Signable, home: ReadContext, api: ApiContext, call: Call) {
  if (what.id === what.input.to) return invalid('to', 'is the signer itself, whose Tokens at other homes come here');
  return sendRemote(what, {
    ...{ api, home, call },
    render: async (_, { accepted: { entry } }) => ({
      ...transferView({ entry, receipt: undefined, hasChain: false }),
      ...{ memo: what.input.memo ?? null, ...originIn(home) },
    }),
  }) satisfies Promise<Reply | Refusal>;
}
