/**
 * Reputations and reviews (docs/reference/reputation.md).
 */

import type { JsonObject } from '../../core/canonical.js';
import { parseDid } from '../../core/codecs/did.js';
import { assert, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { Resource } from '../../machines/kernel/definition.js';
import {
  type ReputationRecord,
  type ReputationReviewInput,
  reviewIdOf,
  reviewInput,
  reviewsLabel,
} from '../../machines/reputation/record.js';
import type { Scores, Standing } from '../../machines/reputation/standing.js';
import { reputationSchema, reputationView, reviewView } from '../../machines/reputation/view.js';
import type { ReputationReader } from '../../projections/reputations.js';
import type { Snapshot } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import { signerFields } from '../context/signed-body.js';
import { reviewedSchema, reviewsSchema } from '../openapi/schemas/reputations.js';
import { pageFields, pageOf, pagination } from '../render/pagination.js';
import { writeForm } from '../render/write-view.js';
import type { Call, Route } from '../server/route.js';

const tag = 'Reputation';
const path = '/api/v1/reputations/:did';
const source = is.optional(is.oneOf('store', 'log'));
type Source = is.TypeOf<typeof source>;
/** For pages about many DIDs: an empty reputation instead of REPUTATION_NOT_FOUND. */
const orEmpty = is.optional(
  is.described(is.boolean, 'Without any record: 200 with no score and `updatedAt` 0, not REPUTATION_NOT_FOUND.'),
);

const noScores: Scores = {
  ...{ score: null, level: 'unrated', dimensions: {}, totalTransactions: 0 },
  ...{ successRate: null, averageRating: null, updatedAt: 0 },
};

/** The DID in the path; REPUTATION_INVALID where it is malformed (docs/reference/reputation.md#reviews). */
function didOf({ params }: Call): string | Refusal {
  const text = params.did!;
  return (
    (text.length < 128 ? parseDid(text) : undefined) ??
    refuse('REPUTATION_INVALID', 'did: is not a valid DID', {
      errors: [{ field: 'did', message: 'is not a valid DID' }],
    })
  );
}

const shown = (record: Snapshot): JsonObject => reviewView(record as unknown as Resource<ReputationRecord>);

export function reputationRoutes(api: ApiContext, reputations: ReputationReader): Route[] {
  /** The reputation; REPUTATION_NOT_FOUND before the first record. */
  async function standingOf(did: string, from: Source, orEmpty = false): Promise<Standing | Refusal> {
    const standing = from === 'log' ? await reputations.fromLog(did) : await reputations.of(did);
    return orEmpty || standing.count > 0
      ? standing
      : refuse('REPUTATION_NOT_FOUND', `there is no reputation record of ${did}`);
  }

  const read: Route = {
    method: 'GET',
    path,
    name: 'getReputation',
    tag,
    summary: 'The reputation of a DID, as it is now; `source=log` recomputes it from the journal.',
    scope: 'read',
    query: is.object({ source, orEmpty }),
    success: { status: 200, schema: reputationSchema, description: 'the reputation' },
    async handle(call) {
      const did = didOf(call);
      if (isRefusal(did)) return did;
      const standing = await standingOf(did, call.query.source as Source, call.query.orEmpty === true);
      if (isRefusal(standing)) return standing;
      const scores = standing.at(api.environment.now()) ?? noScores;
      return { status: 200, body: reputationView({ did, ...scores }) };
    },
  };

  return [read, listRoute(api, standingOf), reviewRoute(api)];
}

function listRoute(api: ApiContext, standingOf: (did: string, from: Source) => Promise<Standing | Refusal>): Route {
  return {
    method: 'GET',
    path: `${path}/reviews`,
    name: 'listReviews',
    tag,
    summary: 'The reviews of a DID, newest first; `source=log` holds them against the journal.',
    scope: 'read',
    query: is.object({ source, ...pageFields }),
    success: { status: 200, schema: reviewsSchema, description: 'a page of reviews' },
    async handle(call) {
      const did = didOf(call);
      if (isRefusal(did)) return did;
      const page = pageOf(call.query);
      if (isRefusal(page)) return page;
      const standing = await standingOf(did, call.query.source as Source);
      if (isRefusal(standing)) return standing;
      const { store } = api;
      const { items, total, next } = await store.find({ kind: 'reputation', anyLabel: [reviewsLabel(did)], page });
      const { averageRating } = standing;
      const body = { reviews: items.map(shown), total, averageRating, pagination: pagination(page, total, next) };
      return { status: 200, body: body as unknown as JsonObject };
    },
  };
}

function reviewRoute(api: ApiContext): Route {
  return {
    method: 'POST',
    path: `${path}/reviews`,
    name: 'createReview',
    tag,
    summary: 'Review the other party of a finished order or contract: once for each dimension.',
    scope: 'write',
    body: is.object({
      ...signerFields,
      ...reviewInput.fields!,
      resourcePrev: is.optional(is.nullable(is.hash)),
    } as is.Fields),
    example: {
      target: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      dimension: 'quality',
      score: 900,
      ref: 'ord-01J0000000000000000000000',
      comment: 'as described',
    },
    success: { status: 201, schema: reviewedSchema, description: 'the record' },
    async handle(call) {
      const did = didOf(call);
      if (isRefusal(did)) return did;
      const {
        did: signer,
        target,
        dimension,
        score,
        ref,
        comment,
        aspects,
      } = call.body as unknown as ReputationReviewInput & {
        readonly did: string;
      };
      if (target !== did) return refuse('REPUTATION_INVALID', 'target: is not the DID of the path');
      const input = {
        target,
        dimension,
        score,
        ref,
        ...(comment === undefined ? {} : { comment }),
        ...(aspects === undefined ? {} : { aspects }),
      } as JsonObject;
      const id = reviewIdOf(signer, ref, dimension);
      const accepted = await api.writes.sign(call, { kind: 'reputation', id, action: 'review', input, status: 201 });
      return api.writes.answer(
        accepted,
        201,
        (done, receipt) => {
          const made = done.snapshots.find(({ kind }) => kind === 'reputation');
          assert(made, 'a review makes its record');
          return { ...shown(made), ...writeForm.view({ entry: done.entry, receipt }) };
        },
        `/api/v1/reputations/${encodeURIComponent(did)}/reviews`,
      );
    },
  };
}
