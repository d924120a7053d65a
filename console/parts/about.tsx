/** What an entry is about, as a link. */
import type { Entry } from '../api/types.ts';
import { aboutOf } from './entry-columns.ts';
import { Erased } from './erased.tsx';
import { Did, ResourceLink } from './text.tsx';

/** The resource that the request names, otherwise the first one changed. Accounts and identities have no chart. */
export function About({ entry }: { entry: Entry }) {
  const { payload } = entry;
  const about = aboutOf(entry);
  if (about) return <ResourceLink kind={about.kind} id={about.id} />;
  const { to, memo } = payload?.input ?? {};
  if (typeof to === 'string' && to.startsWith('did:')) {
    return (
      <>
        <span class="faint">to</span> <Did did={to} />
        {entry.leaves?.['/memo']?.erased && (
          <span class="memo small">
            <Erased />
          </span>
        )}
        {typeof memo === 'string' && memo !== '' && (
          <span class="memo faint small" title={memo}>
            <bdi>{memo}</bdi>
          </span>
        )}
      </>
    );
  }
  if (payload?.id?.startsWith('did:') && payload.id !== entry.event.issuer) {
    const isPaid = entry.postings.some(([account, delta]) => delta > 0 && account.endsWith(`/${payload.id}`));
    return (
      <>
        <span class="faint">{isPaid ? 'to' : payload.kind}</span> <Did did={payload.id} />
      </>
    );
  }
  return payload ? <span class="faint">{payload.kind}</span> : null;
}
