/** The question about this home's own journal that a start asks one peer. */
import { parseShaped } from '../../core/json-text.js';
import type { OwnHeadPeer } from '../own-head.js';
import { PeerError } from '../transport/transport.js';
import type { PeerLink } from './peer-link.js';

export const ownHeadPeer = (link: PeerLink, mirror: Pick<OwnHeadPeer, 'isMirror' | 'mirrored'>): OwnHeadPeer => ({
  did: link.member.did,
  end: (signal) => askedHead(link, signal),
  ...mirror,
});

/** The checkpoints of this home that a peer knows; see `OwnHeadPeer`. Rejects with PeerError. */
export async function askedHead(link: PeerLink, signal?: AbortSignal): Promise<readonly unknown[]> {
  const { status, body } = await link.request('GET', '/head', signal ? { signal } : {});
  if (status !== 200) throw new PeerError('status', `${link.address}: answered ${status} to /head`, status);
  const parsed = parseShaped(body);
  if (typeof parsed === 'string') throw new PeerError('malformed', `${link.address}: the answer to /head ${parsed}`);
  const { checkpoint, held, time } = Object(parsed.value) as { readonly [member: string]: unknown };
  link.statesTime(time);
  return [checkpoint, held].filter((each) => each !== undefined);
}
