/** Checks the proof of a resource, or an entry, of another home against what this node has followed of that home's journal. */
import { viewBounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import type { FollowedJournal } from '../../peers/views/foreign-views.js';
import {
  type PublishedEntry,
  parseResourceProof,
  type ResourceProof,
  violationInPublished,
  violationInResource,
} from '../../verify/resource-proof.js';
import type { ApiContext } from '../context/api-context.js';
import type { Call } from '../server/route.js';

/** @param body the answer of the home */
export function checkOf(body: JsonObject, { params }: Call, home: string, api: ApiContext): JsonObject {
  const journal = api.elsewhere?.followed(home);
  const { hasMore, next: _, ...rest } = body;
  const proof = parseResourceProof(rest);
  if (typeof proof === 'string') return compared(journal, proof);
  const other = otherIn(proof, params, home, api.network);
  const isShort = Math.max(proof.entries.length, proof.corrections.length) <= viewBounds.proofEntries;
  const isWhole = isShort && hasMore === false && proof.entries.length === proof.total;
  // The chain hash of an entry says nothing unless the entry is verified.
  if (other || !isWhole) return compared(journal, other);
  const entries = [...proof.entries, ...proof.corrections].map(({ entry }) => entry);
  return compared(journal, violationInResource(proof), entries);
}

/** @param body the entry around an event, as the home shows it */
export function checkOfEntry(body: JsonObject, { params }: Call, home: string, api: ApiContext): JsonObject {
  const entry = body as unknown as PublishedEntry;
  const violation = violationInPublished(entry) ?? otherEvent(entry, params, home, api.network);
  return compared(api.elsewhere?.followed(home), violation, [entry]);
}

/** @param entries those that were verified; undefined: none */
function compared(
  journal: FollowedJournal | undefined,
  violation: string | undefined,
  entries?: readonly PublishedEntry[],
): JsonObject {
  const known = violation === undefined ? (entries ?? []) : [];
  const followed = known.filter(({ seq }) => journal?.chainHashAt(seq) !== undefined);
  const fork = followed.find(({ seq, chainHash }) => journal?.chainHashAt(seq) !== chainHash);
  return {
    violation: fork ? `entry ${fork.seq} is not that of the journal which this node follows` : (violation ?? null),
    ...{ isWhole: entries !== undefined, followed: fork ? 0 : followed.length },
    checkpoint: journal?.checkpoint ? { ...journal.checkpoint } : null,
  };
}

function otherEvent(
  { event, seq }: PublishedEntry,
  params: Call['params'],
  home: string,
  network: string,
): string | undefined {
  const asked = params.hash?.replace(/~.*/s, '');
  if (asked !== event.hash && asked !== String(seq)) return `it is of the event ${event.hash}`;
  return event.home === home && event.network === network ? undefined : 'it is of another home or network';
}

/** What it proves, if that is something else than what was asked. */
function otherIn(
  { kind, id, network, first }: ResourceProof,
  params: Call['params'],
  home: string,
  own: string,
): string | undefined {
  if (`${kind}/${id}` !== `${params.kind}/${params.id?.replace(/~.*/s, '')}`) return `it is of ${kind} ${id}`;
  if (network !== own) return `it is of the network ${network}`;
  const { event } = first.entry;
  return event?.issuer === home ? undefined : 'it is of the journal of another home';
}
