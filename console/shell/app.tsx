/** The frame around every view: navigation, heading, dialog for the key. Moves the focus when the view changes. */
import { useEffect, useRef } from 'preact/hooks';
import type { NodeStatus } from '../api/types.ts';
import { useRead } from '../api/use-read.ts';
import { Copy } from '../parts/text.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { Navigation, Top } from './navigation.tsx';
import { pageAbout } from './page-about.ts';
import { route } from './route.ts';
import { isTyping } from './search-box.tsx';
import { viewAt } from './views.ts';

const statusEveryMs = 10_000;

export function App() {
  const here = route.value;
  const view = viewAt(here.view);
  const status = useRead<NodeStatus>('/api/v1/node', statusEveryMs);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(here.view);
  const title = view?.titleOf?.(here) ?? view?.title ?? 'Nothing here';
  const about = pageAbout.value === undefined ? undefined : `“${pageAbout.value}”`;
  const named = about ?? (title === view?.title ? here.segments.at(-1) : undefined);

  useEffect(() => {
    document.title = `${named === undefined ? '' : `${named} – `}${title} – svc-node`;
    // The focus moves only when the view changes: not when the page loads, and not within a view.
    if (shown.current !== here.view && !isTyping(document.activeElement)) heading.current?.focus();
    shown.current = here.view;
  }, [here.view, title, named]);

  return (
    <div class="shell">
      <Top
        status={status.data}
        text={here.view === 'find' ? (here.query.get('text') ?? '') : ''}
        onSkip={() => heading.current?.focus()}
      />
      <Navigation current={here.view} status={status.data} away={status.problem?.status === 0} />
      <main>
        <div class="page-head">
          <h1 tabIndex={-1} ref={heading}>
            <bdi>{title}</bdi>
            {about && (
              <>
                {' '}
                <bdi>{about}</bdi>
              </>
            )}
          </h1>
          <Copy text={location.href} what="link to this page" />
        </div>
        {status.data && <p class="printed">{`${status.data.network}, node ${status.data.did}: ${location.href}`}</p>}
        {view ? <view.Page route={here} /> : <p>There is no such view. Choose one from the navigation.</p>}
      </main>
      <KeyDialog />
    </div>
  );
}
