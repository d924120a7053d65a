/** The questions about this home's own journal that a start asks one peer. */
import type { Did } from '../../core/codecs/did.js';
import type { JournalHead } from '../../store/store.js';
import { parseFeedLine } from '../feed/line.js';
import type { OwnHeadPeer } from '../own-head.js';
import type { FeedEntry } from '../replica/replica.js';
import { PeerError } from '../transport/transport.js';
import type { PeerLink } from './peer-link.js';

/** @param own DID of this home */
export function ownHeadPeer(link: PeerLink, own: Did): OwnHeadPeer {
  const { did } = link.member;
  return {
    did,
    async end(signal) {
      try {
        const { status, body } = await link.request('GET', '/head', { signal });
        if (status !== 200) throw new PeerError('status', `${link.address}: answered ${status} to /head`, status);
        const { checkpoint, held, adopted } = JSON.parse(body) as { readonly [member: string]: unknown };
        return { checkpoint, held, adopted: Number.isSafeInteger(adopted) ? (adopted as number) : 0 };
      } catch (error) {
        link.next();
        throw error;
      }
    },
    entries: (head, upTo, signal) => entriesOf(link, { own, head, upTo, signal }),
  };
}

interface AskedEntries {
  readonly own: Did;
  readonly head: JournalHead;
  readonly upTo: number;
  readonly signal: AbortSignal;
}

async function* entriesOf(link: PeerLink, { own, head, upTo, signal }: AskedEntries): AsyncGenerator<FeedEntry> {
  const stream = await link.connection.open(`/feed?home=${own}&after=${head.seq}`, { signal });
  let { chainHash } = head;
  for await (const line of stream) {
    const parsed = parseFeedLine(line, chainHash);
    if (typeof parsed === 'string')
      throw new PeerError('malformed', `${link.address}: a line of the journal ${parsed}`);
    if ('end' in parsed) continue;
    chainHash = parsed.entry.entry.chainHash;
    yield parsed.entry;
    if (parsed.entry.entry.seq >= upTo) return;
  }
}
