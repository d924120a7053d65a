/** A provider's delivery, and the requester's decision on it. An order keeps all of its submissions. */
import type { JsonObject } from '../../core/canonical.js';
import type { Leaf } from '../../core/leaf.js';

export interface Submission {
  readonly submissionId: string;
  readonly status: 'submitted' | 'approved' | 'rejected';
  readonly deliverables: readonly Leaf[];
  readonly notes: Leaf | null;
  readonly envelope: JsonObject | null;
  /** SHA-256 of the whole envelope, hex. */
  readonly envelopeDigest: string | null;
  readonly deliveredAt: number;
  readonly decidedAt: number | null;
  readonly feedback: Leaf | null;
}

/** The most deliveries of an order. After as many rejections, the order can only end by its deadline. */
export const mostSubmissions = 10;

/** The submissions after the newest one was decided. */
export const decided = (
  submissions: readonly Submission[],
  status: Submission['status'],
  decidedAt: number,
  feedback: Leaf | null,
): readonly Submission[] =>
  submissions.map((each, index) =>
    index === submissions.length - 1 ? { ...each, status, decidedAt, feedback } : each,
  );
