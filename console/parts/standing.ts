/** What the status of a followed journal means, in words (docs/reference/feeds.md#following). */
import type { Peer } from '../api/types.ts';
import { count } from '../format/format.ts';

export interface Standing {
  readonly word: 'following' | 'catching up' | 'waiting' | 'clock ahead' | 'stopped' | 'forked';
  readonly tone: 'good' | 'warn' | 'bad';
  readonly sentence: string;
}

/** Entries that the peer announced and that this node has not followed yet. */
export const entriesBehind = ({ head, followed }: Peer): number => Math.max(0, head - followed);

export function standingOf(peer: Peer): Standing {
  const { status, violation } = peer;
  switch (status) {
    case 'current':
      return {
        word: 'following',
        tone: 'good',
        sentence: 'Every entry that it has announced is under a checkpoint that it has signed.',
      };
    case 'behind':
      return {
        word: 'catching up',
        tone: 'warn',
        sentence: `${count(entriesBehind(peer))} entries that it has announced are still to be read.`,
      };
    case 'unreachable':
      return {
        word: 'waiting',
        tone: 'warn',
        sentence: 'The node cannot reach it, or it has not added this node yet. The node keeps trying.',
      };
    case 'clock-ahead':
      return {
        word: 'clock ahead',
        tone: 'warn',
        sentence:
          'Its clock is more than ten minutes ahead of the node’s. Nothing is taken from it until the clocks agree.',
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
          ? `Its line for entry ${count(violation.seq)} is bad: ${violation.what}. The node follows it no further.`
          : 'It has sent a bad line. The node follows it no further.',
      };
  }
}
