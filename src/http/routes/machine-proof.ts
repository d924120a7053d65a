/**
 * The proof of one resource, in pages: the evidence with which an auditor verifies it without this node
 * (docs/reference/journal-format.md#resource-proofs).
 */
import { proofAnchorOf } from '../../chain/anchors/proof.js';
import { bounds } from '../../core/bounds.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { clockCorrected } from '../../machines/identity/identity.js';
import { chartOf } from '../../machines/kernel/chart.js';
import { atVersion } from '../../machines/kernel/versioning.js';
import type { NumberedEntry } from '../../store/entry.js';
import { refusalsOfAnyKind } from '../charts/known-kind.js';
import { versionOf } from '../charts/steps.js';
import type { ApiContext } from '../context/api-context.js';
import { eventViews } from '../context/event-view.js';
import { resourceProofSchema } from '../openapi/schemas/resource-proof.js';
import { fromChain } from '../render/chain-answer.js';
import type { Call, Route } from '../server/route.js';
import { type FoundResource, resourceInPath } from './machine-history.js';

const proofQuery = is.object({
  after: is.optional(is.integer(0), 'Number of the last entry that you have read: `next` of a page.'),
  limit: is.optional(is.integer(1, bounds.pageLimit), 'The most entries on a page; default 100.'),
});

export function resourceProofRoute(api: ApiContext): Route {
  return {
    method: 'GET',
    tag: 'Machines',
    scope: 'read',
    refuses: refusalsOfAnyKind(api),
    path: '/api/v1/machines/:kind/:id/proof',
    name: 'getResourceProof',
    summary:
      'Get the proof of one resource: its entries, anchors, receipts and definitions. `svc-node verify-proof` checks it.',
    query: proofQuery,
    success: {
      status: 200,
      schema: resourceProofSchema,
      description: 'a page of the proof; join the `entries` of all pages',
    },
    async handle(call) {
      const one = await resourceInPath(api, call);
      if (isRefusal(one)) return one;
      const body = await api.queues.page(call, () => pageOf(api, one, call));
      return isRefusal(body) ? body : { status: 200, body };
    },
  };
}

async function pageOf(api: ApiContext, { snapshot, definition }: FoundResource, call: Call) {
  const { after = 0, limit = bounds.pageLimit } = call.query as is.TypeOf<typeof proofQuery>;
  const { kind, id, state, version: total } = snapshot;
  const read = await api.store.entries({
    ...{ after, limit: limit + 1, resource: `${kind}/${id}` },
    characters: bounds.pageCharacters,
  });
  const page = read.filter((entry) => versionOf(entry, kind, id)).slice(0, limit);
  const [one] = await api.store.entries({ after: 0, limit: 1 });
  if (!one) return refuse('INTERNAL_ERROR', 'the journal has no first entry');
  const show = eventViews(api);
  const anchors = anchorsIn(api);
  const proven = async (entry: NumberedEntry) => ({
    entry: await show(entry, call.caller.reader),
    anchor: await anchors(entry),
  });
  const entries = [];
  for (const entry of page) {
    const each = await proven(entry);
    if (isRefusal(each.anchor)) return each.anchor;
    entries.push(each);
  }
  const corrections = [];
  const range = { after, limit: bounds.proofEntries, type: clockCorrected };
  for (const entry of await api.store.entries(range)) {
    if (entry.seq > (page.at(-1)?.seq ?? 0)) break;
    const each = await proven(entry);
    if (isRefusal(each.anchor)) return each.anchor;
    corrections.push(each);
  }
  const first = await proven(one);
  if (isRefusal(first.anchor)) return first.anchor;
  const versions = [...new Set(page.map((entry) => versionOf(entry, kind, id)!.machine))];
  const last = page.at(-1);
  const hasMore = last !== undefined && versionOf(last, kind, id)!.version < total;
  return {
    ...{ v: 1, type: 'resource-proof', network: api.network, kind, id, state, total, first, entries, corrections },
    definitions: Object.fromEntries(
      versions.flatMap((version) => {
        const decidedBy = atVersion(definition, version);
        return decidedBy ? [[version, chartOf(decidedBy)]] : [];
      }),
    ),
    ...{ next: hasMore ? last.seq : null, hasMore },
  };
}

/** The anchors of entries; the leaves of each anchor are read once. */
function anchorsIn({ onChain, store }: ApiContext) {
  const leaves = new Map<number, readonly Buffer[]>();
  return async ({ seq }: NumberedEntry) => {
    if (!onChain) return null;
    const anchored = await fromChain(onChain.anchorOf(seq));
    if (isRefusal(anchored)) return anchored satisfies Refusal;
    return anchored ? proofAnchorOf(seq, anchored, store, leaves) : null;
  };
}
