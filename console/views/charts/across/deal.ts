/**
 * The entries of a deal across homes, from both journals (docs/reference/remote-requests.md): what each remote request sent
 * at its home, the answer at the other home, and how the first home closed it.
 */
import { path, read, withQuery } from '../../../api/read.ts';
import type { Entry, NodeStatus, Replies } from '../../../api/types.ts';

export interface DealEntry {
  readonly entry: Entry;
  /** DID of its home; undefined: this node. */
  readonly home: string | undefined;
  /** `step`: its home's own resident has acted. */
  readonly part: 'sent' | 'answered' | 'closed' | 'step';
  /** What it sends or does, or how it answers or closes. */
  readonly what: string;
}

export interface DealOf {
  readonly kind: string;
  /** Of a remote request: DID of the home that is asked. */
  readonly to: string | undefined;
  /** The entries of the resource. */
  readonly entries: readonly Entry[];
  /** The action of each, by the hash of its event. */
  readonly actionOf: (eventHash: string) => string;
}

/** Most remote requests that are read. */
const mostRequests = 50;

const versionIn = ({ versions }: Entry, kind: string) => versions.find((each) => each.kind === kind);
const stateIn = (entry: Entry, kind: string): string => versionIn(entry, kind)?.path.at(-1) ?? '';

export const isAcross = ({ kind, entries }: Pick<DealOf, 'kind' | 'entries'>): boolean =>
  kind === 'remote-request' || entries.some((entry) => versionIn(entry, 'remote-answer'));

export async function dealOf(
  { kind, to, entries, actionOf }: DealOf,
  signal: AbortSignal,
): Promise<readonly DealEntry[]> {
  if (kind === 'remote-request') {
    const [first] = entries;
    if (!first) return [];
    const answer = to === undefined ? undefined : await answerTo(first, to, signal);
    return dealWith(entries, answer, actionOf(first.event.hash));
  }
  let left = mostRequests;
  const parts: (readonly DealEntry[])[] = [];
  for (const entry of entries) {
    const answer = versionIn(entry, 'remote-answer');
    const action = actionOf(entry.event.hash);
    if (answer && left-- > 0) parts.push(dealWith(await requestEntries(answer.id, signal), entry, action));
    else parts.push([lineOf(entry, 'step', action)]);
  }
  return parts.flat();
}

/** @param request the entries of one remote request, the oldest first @param action what it asks for */
function dealWith([sent, closed]: readonly Entry[], answer: Entry | undefined, action: string): readonly DealEntry[] {
  return [
    ...(sent ? [lineOf(sent, 'sent', action)] : []),
    ...(answer ? [lineOf(answer, 'answered', stateIn(answer, 'remote-answer'))] : []),
    ...(closed ? [lineOf(closed, 'closed', stateIn(closed, 'remote-request'))] : []),
  ];
}

const lineOf = (entry: Entry, part: DealEntry['part'], what: string): DealEntry => ({
  ...{ entry, home: entry.journal, part, what },
});

type Events = Replies['listEvents'];

const eventsOf = (resource: string, home: string | undefined, signal: AbortSignal): Promise<readonly Entry[]> =>
  read<Events>(withQuery('/api/v1/events', { resource, home, after: 0, limit: 2 }), signal).then(
    ({ events }) => events,
  );

/** The entries of the request that this event has sent; none if this node does not follow its home. */
async function requestEntries(sentHash: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const { matches } = await read<Replies['lookUp']>(withQuery('/api/v1/lookup', { text: sentHash }), signal);
  if (matches.length === 0) return [];
  const sent = await read<Entry>(path`/api/v1/events/${sentHash}`, signal);
  const request = versionIn(sent, 'remote-request');
  return request ? eventsOf(`remote-request/${request.id}`, sent.journal, signal) : [];
}

/** The entry that answers the request; undefined if there is none yet, or if this node does not follow that home. */
async function answerTo({ event }: Entry, home: string, signal: AbortSignal): Promise<Entry | undefined> {
  const status = await read<NodeStatus>('/api/v1/node', signal);
  const isOwn = status.did === home;
  if (!isOwn) {
    const { peers } = await read<Replies['listPeers']>('/api/v1/node/peers?limit=100', signal);
    if (!peers.some(({ did, adopted }) => did === home && adopted > 0)) return undefined;
  }
  return (await eventsOf(`remote-answer/${event.hash}`, isOwn ? undefined : home, signal))[0];
}
