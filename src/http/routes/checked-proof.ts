/** Checks the proof of a resource, or an entry, of another home against what this node has followed of that home's journal. */
import { viewBounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
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
  const result = (violation: string | null, isWhole: boolean, followed = 0): JsonObject => ({
    ...{ violation, isWhole, followed },
    checkpoint: journal?.checkpoint ? { ...journal.checkpoint } : null,
  });
  const { hasMore, next: _, ...rest } = body;
  const proof = parseResourceProof(rest);
  if (typeof proof === 'string') return result(proof, false);
  const other = otherIn(proof, params, home, api.network);
  if (other) return result(other, false);
  const isShort = Math.max(proof.entries.length, proof.corrections.length) <= viewBounds.proofEntries;
  const isWhole = isShort && hasMore === false && proof.entries.length === proof.total;
  // The chain hash of an entry says nothing unless the entry is verified.
  if (!isWhole) return result(null, false);
  const violation = violationInResource(proof);
  if (violation !== undefined) return result(violation, true);
  const known = [...proof.entries, ...proof.corrections].map(({ entry: { seq, chainHash } }) => ({
    seq,
    followed: journal?.chainHashAt(seq),
    chainHash,
  }));
  const fork = known.find(({ followed, chainHash }) => followed !== undefined && followed !== chainHash);
  if (fork) return result(`entry ${fork.seq} is not that of the journal which this node follows`, true);
  return result(null, true, known.filter(({ followed }) => followed !== undefined).length);
}

/** @param body the entry around an event, as the home shows it */
export function checkOfEntry(body: JsonObject, { params }: Call, home: string, api: ApiContext): JsonObject {
  const journal = api.elsewhere?.followed(home);
  const entry = body as unknown as PublishedEntry;
  const found = violationInPublished(entry) ?? otherEvent(entry, params, home, api.network);
  const followed = found === undefined ? journal?.chainHashAt(entry.seq) : undefined;
  const isFork = followed !== undefined && followed !== entry.chainHash;
  return {
    violation: isFork ? `entry ${entry.seq} is not that of the journal which this node follows` : (found ?? null),
    ...{ isWhole: true, followed: followed !== undefined && !isFork ? 1 : 0 },
    checkpoint: journal?.checkpoint ? { ...journal.checkpoint } : null,
  };
}

function otherEvent(
  { event }: PublishedEntry,
  params: Call['params'],
  home: string,
  network: string,
): string | undefined {
  if (event.hash !== params.hash?.replace(/~.*/s, '')) return `it is of the event ${event.hash}`;
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
