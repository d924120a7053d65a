import type { ConnectionState } from '../api/stream.ts';

const words: { readonly [standing in ConnectionState]: string } = {
  connecting: 'connecting …',
  live: 'live',
  away: 'not connected',
};

/** Whether the page receives updates from the node. */
export const Live = ({ standing }: { standing: ConnectionState }) => (
  <span class={`live live-${standing}`} role="status">
    <span class={`dot ${standing === 'live' ? 'good' : standing === 'away' ? 'bad' : 'faint'}`} aria-hidden="true" />
    {words[standing]}
  </span>
);
