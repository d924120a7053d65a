/** What a provider delivers, and what became of it. An order keeps all of its submissions. */
import type { Json, JsonObject } from '../../core/canonical.js';

export interface Submission {
  readonly submissionId: string;
  readonly status: 'submitted' | 'approved' | 'rejected';
  /** As they came. */
  readonly deliverables: readonly Json[];
  readonly notes: string | null;
  /** Completed and signed deliverable envelope. */
  readonly envelope: JsonObject | null;
  /** SHA-256 of the whole envelope, hex. */
  readonly envelopeDigest: string | null;
  readonly deliveredAt: number;
  readonly decidedAt: number | null;
  readonly feedback: string | null;
}

/** How often an order takes a delivery; one that was rejected as often can only end by its deadline. */
export const mostSubmissions = 10;

/** The submissions with the newest one decided. */
export const decided = (
  submissions: readonly Submission[],
  status: Submission['status'],
  decidedAt: number,
  feedback: string | null,
): readonly Submission[] =>
  submissions.map((each, index) =>
    index === submissions.length - 1 ? { ...each, status, decidedAt, feedback } : each,
  );
