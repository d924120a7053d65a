/** Marks a resource of another home and says how fresh its copy is. Links to the home. */
import { instant } from '../format/format.ts';
import { tagOf } from '../format/spelling.ts';
import { href } from '../shell/route.ts';

export function HomeBadge({ home, asOf }: { home: string; asOf?: number | undefined }) {
  const fresh = asOf === undefined ? '' : `, as of ${instant(asOf)}`;
  return (
    <a class="home-badge" href={href('peers', [home])} title={`Of the home ${home}${fresh}`}>
      <span aria-hidden="true">~</span>
      {tagOf(home)}
      {asOf !== undefined && <span class="faint"> as of {instant(asOf)}</span>}
    </a>
  );
}
