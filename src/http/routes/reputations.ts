/**
 * Reputations and reviews (docs/reference/reputation.md).
 */

import { bounds } from '../../core/bounds.js';
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
import type { ReputationScores, Scores } from '../../machines/reputation/scores.js';
import { reputationView, reviewView } from '../../machines/reputation/view.js';
import { spelled, spellingOf } from '../../peers/tag.js';
import { ReputationReader } from '../../projections/reputations.js';
import type { Snapshot } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import type { Located } from '../context/home-reader.js';
import type { ReadContext } from '../context/read-context.js';
import { signerFields } from '../context/signed-body.js';
import { reputationSchema, reviewedSchema, reviewsSchema } from '../openapi/schemas/reputations.js';
import { pageFields, pageOf, pagination } from '../render/pagination.js';
import { originIn } from '../render/render.js';
import { settlementForm, writeForm } from '../render/write-view.js';
import type { Call, Route } from '../server/route.js';

const tag = 'Reputation';
const path = '/api/v1/reputations/:did';
const source = is.optional(
  is.described(
    is.oneOf('store', 'log'),
    '`store` (default) reads the stored records; `log` checks each record against its entry. Both agree.',
  ),
);
type Source = is.TypeOf<typeof source>;
/** For pages about many DIDs: an empty reputation instead of REPUTATION_NOT_FOUND. */
const orEmpty = is.optional(
  is.described(
    is.boolean,
    'If there is no record: answer 200 without a score and with `updatedAt` 0, instead of REPUTATION_NOT_FOUND.',
  ),
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

/** The DID in the path of a read, which may include the home whose records are meant. */
function spellingIn({ params }: Call): string | Refusal {
  const { id, home } = spellingOf(params.did!);
  const did = id.length < 128 ? parseDid(id) : undefined;
  if (did === undefined) return notADid;
  return home === undefined ? did : spelled(did, home);
}

type LocateScores = (spelling: string, from: Source, orEmpty?: boolean) => Promise<Located<ReputationScores> | Refusal>;

const shown = (record: Snapshot): JsonObject => reviewView(record as unknown as Resource<ReputationRecord>);

export function reputationRoutes(api: ApiContext, reputations: ReputationReader): Route[] {
  const readers = new WeakMap<ReadContext, ReputationReader>();
  function readerAt(at: ReadContext): ReputationReader {
    if (!at.foreign) return reputations;
    const limits = { records: bounds.foreignReputationRecords, page: bounds.reputationPage };
    const reader = readers.get(at) ?? new ReputationReader(at.store, at.environment, limits);
    readers.set(at, reader);
    return reader;
  }

  const scoresAt = (at: ReadContext, did: string, from: Source): Promise<ReputationScores> =>
    from === 'log' ? readerAt(at).fromLog(did) : readerAt(at).of(did);

  /** The reputation: from this node's records, else from another home's. REPUTATION_NOT_FOUND if there are none. */
  async function locateScores(
    spelling: string,
    from: Source,
    orEmpty = false,
  ): Promise<Located<ReputationScores> | Refusal> {
    const isBare = spelling === spellingOf(spelling).id;
    const own = isBare ? await scoresAt(api, spelling, from) : undefined;
    if (own && own.count > 0) return { at: api, found: own };
    const located = await api.reading.elsewhere(spelling, async (at, did) => {
      const located = await scoresAt(at, did, from);
      return located.count > 0 ? located : undefined;
    });
    if (located) return located;
    return own && orEmpty
      ? { at: api, found: own }
      : refuse('REPUTATION_NOT_FOUND', `there is no reputation record of ${spelling}`);
  }

  const read: Route = {
    method: 'GET',
    path,
    name: 'getReputation',
    tag,
    summary: 'Get the current reputation of a DID; `source=log` recomputes it from the journal.',
    scope: 'read',
    query: is.object({ source, orEmpty }),
    success: { status: 200, schema: reputationSchema, description: 'the reputation' },
    refuses: ['REPUTATION_NOT_FOUND', 'REPUTATION_INVALID', 'CONFLICT'],
    async handle(call) {
      const spelling = spellingIn(call);
      if (isRefusal(spelling)) return spelling;
      const located = await locateScores(spelling, call.query.source as Source, call.query.orEmpty === true);
      if (isRefusal(located)) return located;
      const scores = located.found.at(api.environment.now()) ?? noScores;
      const view = reputationView({ did: spellingOf(spelling).id, ...scores });
      return { status: 200, body: { ...view, ...originIn(located.at) } };
    },
  };

  return [read, listRoute(locateScores), reviewRoute(api)];
}

function listRoute(locateScores: LocateScores): Route {
  return {
    method: 'GET',
    path: `${path}/reviews`,
    name: 'listReviews',
    tag,
    summary: 'List the reviews of a DID, newest first; `source=log` checks them against the journal.',
    scope: 'read',
    query: is.object({ source, ...pageFields }),
    success: { status: 200, schema: reviewsSchema, description: 'a page of reviews' },
    refuses: ['REPUTATION_NOT_FOUND', 'REPUTATION_INVALID', 'CONFLICT'],
    async handle(call) {
      const spelling = spellingIn(call);
      if (isRefusal(spelling)) return spelling;
      const page = pageOf(call.query);
      if (isRefusal(page)) return page;
      const located = await locateScores(spelling, call.query.source as Source);
      if (isRefusal(located)) return located;
      const { at, found } = located;
      const anyLabel = [reviewsLabel(spellingOf(spelling).id)];
      const { items, total, next } = await at.store.find({ kind: 'reputation', anyLabel, page });
      const { averageRating } = found;
      const reviews = items.map((item) => ({ ...shown(item), ...originIn(at) }));
      const body = { reviews, total, averageRating, pagination: pagination(page, total, next) };
      return { status: 200, body: body as unknown as JsonObject };
    },
  };
}

function reviewRoute(api: ApiContext): Route {
  return {
    method: 'POST',
    path: `${path}/reviews`,
    name: 'createReview',
    refuses: ['REPUTATION_INVALID'],
    tag,
    summary: 'Review the other party of a finished order or contract: once for each dimension.',
    scope: 'write',
    body: is.object({
      ...signerFields,
      ...reviewInput.fields!,
      target: is.optional(
        is.described(reviewInput.fields!.target!, 'DID that the review is about; default: the DID in the path.'),
      ),
      resourcePrev: is.described(
        is.optional(is.nullable(is.hash)),
        'Null or absent, because the review has no event yet.',
      ),
    } as is.Fields),
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
          const write = { entry: done.entry, receipt, hasChain: api.views.hasChain };
          const { status } = settlementForm.view(write);
          return { ...shown(made), ...writeForm.view(write), status, timestamp: made.createdAt } as JsonObject;
        },
        `/api/v1/reputations/${encodeURIComponent(did)}/reviews`,
      );
    },
  };
}
