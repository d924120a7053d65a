/**
 * Reputations and reviews (docs/reference/reputation.md).
 */

import type { Accepted } from '../../actors/command.js';
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { JsonObject } from '../../core/canonical.js';
import { parseDid } from '../../core/codecs/did.js';
import { assert, invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { Resource } from '../../machines/kernel/resource.js';
import {
  type ReputationRecord,
  type ReputationReviewInput,
  reviewIdOf,
  reviewInput,
  reviewsLabel,
} from '../../machines/reputation/record.js';
import type { ReputationScores, Scores } from '../../machines/reputation/scores.js';
import { reputationSchema, reputationView, reviewView } from '../../machines/reputation/view.js';
import type { ReputationReader } from '../../projections/reputations.js';
import type { Snapshot } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import { signedBodies, signerFields } from '../context/signed-body.js';
import type { Signable } from '../context/write-gateway.js';
import { reviewedSchema, reviewsSchema } from '../openapi/schemas/reputations.js';
import { pageFields, pageOf, pagination } from '../render/pagination.js';
import { settlementForm, writeForm } from '../render/write-view.js';
import type { Call, Route } from '../server/route.js';

const tag = 'Reputation';
const path = '/api/v1/reputations/:did';
const source = is.optional(
  is.oneOf('store', 'log'),
  '`store` (default) reads the stored records; `log` checks each record against its entry. Both agree.',
);
/** For pages about many DIDs: an empty reputation instead of REPUTATION_NOT_FOUND. */
const orEmpty = is.optional(
  is.boolean,
  'If there is no record: answer 200 without a score and with `updatedAt` 0, instead of REPUTATION_NOT_FOUND.',
);

const noScores: Scores = {
  ...{ score: null, level: 'unrated', dimensions: {}, totalTransactions: 0 },
  ...{ successRate: null, averageRating: null, updatedAt: 0 },
};

const notADid = refuse('REPUTATION_INVALID', 'did: is not a valid DID', {
  errors: [{ field: 'did', message: 'is not a valid DID' }],
});

/** The DID in the path; REPUTATION_INVALID if it is malformed (docs/reference/reputation.md#reviews). */
const didOf = ({ params }: Call): string | Refusal =>
  (params.did!.length < 128 ? parseDid(params.did!) : undefined) ?? notADid;

const unknown = (did: string): Refusal => refuse('REPUTATION_NOT_FOUND', `there is no reputation record of ${did}`);

const shown = (record: Snapshot): JsonObject => reviewView(record as unknown as Resource<ReputationRecord>);

export function reputationRoutes(api: ApiContext, reputations: ReputationReader): Route[] {
  const read: Route = {
    method: 'GET',
    path,
    name: 'getReputation',
    tag,
    summary: 'Get the current reputation of a DID; `source=log` recomputes it from the journal.',
    scope: 'read',
    query: is.object({ source, orEmpty }),
    success: { status: 200, schema: reputationSchema, description: 'the reputation' },
    refuses: ['REPUTATION_NOT_FOUND', 'REPUTATION_INVALID'],
    async handle(call) {
      const did = didOf(call);
      if (isRefusal(did)) return did;
      const scores = (await scoresOf(did, call, reputations)).at(api.environment.now());
      if (!scores && call.query.orEmpty !== true) return unknown(did);
      return { status: 200, body: reputationView({ did, ...(scores ?? noScores) }) };
    },
  };

  return [read, listRoute(api, reputations), reviewRoute(api)];
}

const scoresOf = (did: string, { query }: Call, reputations: ReputationReader): Promise<ReputationScores> =>
  query.source === 'log' ? reputations.fromLog(did) : reputations.of(did);

function listRoute(api: ApiContext, reputations: ReputationReader): Route {
  return {
    method: 'GET',
    path: `${path}/reviews`,
    name: 'listReviews',
    tag,
    summary: 'List the reviews of a DID, newest first; `source=log` checks them against the journal.',
    scope: 'read',
    query: is.object({ source, ...pageFields }),
    success: { status: 200, schema: reviewsSchema, description: 'a page of reviews' },
    refuses: ['REPUTATION_NOT_FOUND', 'REPUTATION_INVALID'],
    async handle(call) {
      const did = didOf(call);
      if (isRefusal(did)) return did;
      const page = pageOf(call);
      if (isRefusal(page)) return page;
      const { count, averageRating } = await scoresOf(did, call, reputations);
      if (count === 0) return unknown(did);
      const anyLabel = [reviewsLabel(did)];
      const { items, total, next } = await api.store.find({ kind: 'reputation', anyLabel, page });
      const body = { reviews: items.map(shown), total, averageRating, pagination: pagination(page, total, next) };
      return { status: 200, body: body as unknown as JsonObject };
    },
  };
}

function reviewRoute(api: ApiContext): Route {
  const answer = async (accepted: Accepted | Refusal) => {
    if (isRefusal(accepted)) return accepted;
    const render = (done: Accepted, receipt: SettlementReceipt | undefined) =>
      reviewed({ entry: done.entry, receipt, hasChain: api.views.hasChain }, done.snapshots);
    const target = encodeURIComponent(String(accepted.entry.payload.input.target));
    return api.writes.answer(accepted, 201, render, `/api/v1/reputations/${target}/reviews`);
  };
  return {
    method: 'POST',
    path: `${path}/reviews`,
    name: 'createReview',
    refuses: ['REPUTATION_INVALID'],
    tag,
    summary: 'Review the other party of a finished order or contract: once for each dimension.',
    scope: 'write',
    ...signedBodies(
      is.object({
        ...signerFields,
        ...reviewInput.fields!,
        target: is.optional(reviewInput.fields!.target!, 'DID that the review is about; default: the DID in the path.'),
        resourcePrev: is.optional(is.nullable(is.hash), 'Null or absent, because the review has no event yet.'),
      } as is.Fields),
    ),
    writes: [
      {
        ...{ kind: 'reputation', action: 'review', answer },
        admits: ({ id, input: { ref, dimension } }, signer) =>
          id === reviewIdOf(signer, String(ref), dimension as ReputationReviewInput['dimension'])
            ? undefined
            : invalid('payload.id', 'is not that of a review by this signer of this reference and dimension'),
      },
    ],
    example: {
      target: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      dimension: 'quality',
      score: 900,
      ref: 'ord-01J0000000000000000000000',
      comment: 'as described',
    },
    fromPath: { target: 'did' },
    success: { status: 201, schema: reviewedSchema, description: 'the record' },
    async handle(call) {
      const asked = reviewIn(call);
      if (isRefusal(asked)) return asked;
      return answer(await api.writes.sign(call, asked));
    },
  };
}

function reviewIn(call: Call): Signable | Refusal {
  const did = didOf(call);
  if (isRefusal(did)) return did;
  const body = call.body as unknown as ReputationReviewInput & { readonly did: string };
  const { did: signer, target, dimension, score, ref, comment, aspects } = body;
  if (target !== did) return refuse('REPUTATION_INVALID', 'target: is not the DID of the path');
  const input = {
    ...{ target, dimension, score, ref },
    ...(comment === undefined ? {} : { comment }),
    ...(aspects === undefined ? {} : { aspects }),
  } as JsonObject;
  return { kind: 'reputation', id: reviewIdOf(signer, ref, dimension), action: 'review', input, status: 201 };
}

function reviewed(write: Parameters<typeof settlementForm.view>[0], snapshots: readonly Snapshot[]): JsonObject {
  const made = snapshots.find(({ kind }) => kind === 'reputation');
  assert(made, 'a review makes its record');
  const { status } = settlementForm.view(write);
  return { ...shown(made), ...writeForm.view(write), status, timestamp: made.createdAt } as JsonObject;
}
