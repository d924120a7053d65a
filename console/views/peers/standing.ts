/** What the status of a followed journal means, in words (docs/reference/feeds.md#following). */
import type { Peer } from '../../api/types.ts';
import { count } from '../../format/format.ts';

export interface Standing {
  readonly word: 'following' | 'catching up' | 'waiting' | 'stopped' | 'forked';
  readonly tone: 'good' | 'warn' | 'bad';
  readonly sentence: string;
}

/** Entries that the peer announced and that this node has not verified yet. */
export const entriesBehind = ({ head, adopted }: Peer): number => Math.max(0, head - adopted);

export function standingOf(peer: Peer): Standing {
  const { status, violation, adopted } = peer;
  switch (status) {
    case 'current':
      return {
        word: 'following',
        tone: 'good',
        sentence: 'Every entry that it has announced is verified and on disk.',
      };
    case 'behind':
      return {
        word: 'catching up',
        tone: 'warn',
        sentence: `${count(entriesBehind(peer))} entries that it has announced are still to be verified.`,
      };
    case 'unreachable':
      return {
        word: 'waiting',
        tone: 'warn',
        sentence: 'The node cannot reach it, and keeps trying. Until then, the copy shows what was read before.',
      };
    case 'outdated':
      return {
        word: 'waiting',
        tone: 'warn',
        sentence: `Entry ${count(violation?.seq ?? adopted + 1)} needs a newer release of this node. Its journal continues after the update.`,
      };
    case 'forked':
      return {
        word: 'forked',
        tone: 'bad',
        sentence: `It has signed two journals that differ${violation ? ` at entry ${count(violation.seq)}` : ''}. The node follows neither any further.`,
      };
    case 'stopped':
      return {
        word: 'stopped',
        tone: 'bad',
        sentence: violation
          ? `Entry ${count(violation.seq)} is not valid: ${violation.what}. The node adopts nothing from this entry on.`
          : 'An entry is not valid. The node adopts nothing from this entry on.',
      };
  }
}
