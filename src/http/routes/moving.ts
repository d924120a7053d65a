/** `POST /identities/{did}/actions/move`: a DID moves to another home, or comes to this one (docs/reference/moving.md). */
import type { JsonObject } from '../../core/canonical.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { hasLeft, movedAway, residenceKind } from '../../machines/kernel/moved.js';
import { movesOf, type Residence, residencesOf } from '../../peers/residences.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import { signerFields } from '../context/signed-body.js';
import { identitySchema } from '../openapi/schemas/identities.js';
import { written } from '../openapi/schemas/replies.js';
import { writeForm } from '../render/write-view.js';
import type { Route } from '../server/route.js';
import { didParameter } from './did-parameter.js';

/** Where a DID lives. A node without other homes looks at moves in its own journal only. */
export const residencesFor = (api: ApiContext, did: string): Promise<readonly Residence[]> => {
  const { others } = api.reading;
  if (others.length === 0) return movesOf(did, [api]);
  return residencesOf(
    did,
    [api, ...others].map((at) => ({ home: at.home(), store: at.store })),
  );
};

/** The other home to which a DID has moved; undefined if it lives here, or has not moved. */
export function movedTo(api: ApiContext, [one, second]: readonly Residence[]): ReadContext | undefined {
  return one && !second && one.epoch > 0 ? api.reading.others.find((at) => at.home() === one.home) : undefined;
}

export function moveRoute(api: ApiContext, resolve: (did: string) => Promise<JsonObject | Refusal>): Route {
  return {
    method: 'POST',
    path: '/api/v1/identities/:did/actions/move',
    name: 'moveIdentity',
    refuses: ['CONFLICT', 'UNPROCESSABLE'],
    tag: 'Identity',
    summary: 'Move a DID to another home, or have it live at this one.',
    scope: 'write',
    body: is.object({
      ...signerFields,
      to: is.described(
        is.text(128, 1),
        'The new home: the DID or tag of a home that this node follows, or `own` for this one.',
      ),
      epoch: is.described(
        is.optional(is.integer(1)),
        'Number of the move, which must be the next one; absent: the node counts.',
      ),
    } as is.Fields),
    example: { to: 'own' },
    success: { status: 200, schema: written(identitySchema), description: 'the identity at its new home' },
    async handle(call) {
      const did = didParameter(call);
      if (isRefusal(did)) return did;
      const { to, epoch } = call.body as { readonly to: string; readonly epoch?: number };
      const home = api.reading.one(to);
      if (isRefusal(home)) return invalid('to', 'is not the one home that this node follows by this name, nor own');
      const next = await nextEpoch(api, did, home.home());
      const isOther = !isRefusal(next) && epoch !== undefined && epoch !== next;
      const unfit = isRefusal(next) ? next : isOther ? refuse('CONFLICT', `epoch must be ${next}`) : undefined;
      const isFirst = (await api.committed.resource(residenceKind, did)) === undefined;
      const accepted = await api.writes.sign(call, {
        ...{ kind: residenceKind, id: did, action: isFirst ? 'create' : 'move', status: 200 },
        input: { to: home.home(), epoch: isRefusal(next) ? 1 : next },
        prechecked: unfit,
      });
      return api.writes.answer(accepted, 200, async ({ entry }, receipt) => {
        const view = await resolve(did);
        return { ...(isRefusal(view) ? {} : view), ...writeForm.view({ entry, receipt }) };
      });
    },
  };
}

/** The number of a DID's next move: one above the highest that this node knows, so that no home can use up the numbers. */
async function nextEpoch(api: ApiContext, did: string, to: string): Promise<number | Refusal> {
  const own = api.home();
  const residences = await residencesFor(api, did);
  const epoch = residences[0]?.epoch ?? 0;
  if (epoch >= Number.MAX_SAFE_INTEGER) return refuse('CONFLICT', `no number is left for a further move of ${did}`);
  const livesAt = (home: string) => residences.some((each) => each.home === home);
  if (to !== own && residences.length > 0 && !livesAt(own)) return movedAway(did, residences);
  if (!livesAt(to) || residences.length > 1 || epoch === 0) return epoch + 1;
  // It has moved back, as another home's journal says: here it confirms that.
  return to === own && hasLeft(await api.committed.resource(residenceKind, did))
    ? epoch
    : refuse('CONFLICT', `${did} lives at ${to} already`);
}
