import { useEffect, useRef } from 'preact/hooks';
import { readKey } from '../api/key.ts';
import type { NodeStatus } from '../api/types.ts';
import { shortName } from '../format/format.ts';
import { chooseZone, zone } from '../format/zone.ts';
import { nameOf } from '../names/names.ts';
import { askForKey } from './key-dialog.tsx';
import { href } from './route.ts';
import { SearchBox } from './search-box.tsx';
import { nextTheme, theme } from './theme.ts';
import { themeTitles } from './themes.ts';
import { views } from './views.ts';

interface TopProps {
  readonly status: NodeStatus | undefined;
  /** What the search box says. */
  readonly text: string;
  /** Moves the focus past the navigation to the content. */
  onSkip(): void;
}

/** As on the pages of guide and API. */
export const Top = ({ status, text, onSkip }: TopProps) => (
  <header class="top">
    <button type="button" class="skip" onClick={onSkip}>
      Skip to the content
    </button>
    <p class="brand">
      <Mark />
      <span>svc-node</span>
      {status && <span class={`network network-${status.network}`}>{status.network}</span>}
    </p>
    <nav aria-label="Parts of the node">
      <a href="#/" aria-current="true">
        Console
      </a>
      <a href="/guide">Guide</a>
      <a href="/docs">API</a>
    </nav>
    <SearchBox text={text} />
  </header>
);

interface NavigationProps {
  readonly current: string;
  readonly status: NodeStatus | undefined;
  readonly away: boolean;
}

export function Navigation({ current, status, away }: NavigationProps) {
  const list = useRef<HTMLUListElement>(null);
  // On a phone the list scrolls sideways.
  useEffect(() => {
    const [all, chosen] = [list.current, list.current?.querySelector<HTMLElement>('[aria-current]')];
    if (all && chosen) all.scrollLeft = chosen.offsetLeft + chosen.offsetWidth / 2 - all.clientWidth / 2;
  }, [current, status?.network]);
  return (
    <div class="side">
      <div class="side-inner">
        <nav aria-label="Views">
          <ul ref={list}>
            {views
              .filter(({ isHidden, onlyOn }) => !isHidden && (onlyOn === undefined || onlyOn === status?.network))
              .map(({ path, title }) => (
                <li key={path}>
                  <a href={href(path)} aria-current={path === current ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
        <div class="foot">
          <p class="reach" role="status">
            <span class={away ? 'dot bad' : 'dot good'} aria-hidden="true" />
            {away ? 'The node does not answer' : status ? <Running status={status} /> : 'Connecting …'}
          </p>
          <p>
            <button type="button" class="quiet" onClick={() => askForKey()}>
              {readKey.value === undefined ? 'Enter a read key' : 'Read key in use'}
            </button>
          </p>
          <p>
            <ZoneSwitch />
          </p>
          <p>
            <button type="button" class="quiet" onClick={nextTheme}>
              {themeTitles[theme.value]}
            </button>
          </p>
        </div>
      </div>
    </div>
  );
}

/** The name of the home, and the version. */
function Running({ status: { did, version } }: { status: NodeStatus }) {
  const name = nameOf(did);
  return (
    <>
      {name?.part && <bdi>{shortName(name.text)}, </bdi>}
      {name?.part ? 'version' : 'Version'} {version}
    </>
  );
}

const ZoneSwitch = () => {
  const other = zone.value === 'utc' ? 'local' : 'utc';
  return (
    <button type="button" class="quiet" onClick={() => chooseZone(other)}>
      {zone.value === 'utc' ? 'Times in UTC: show local time' : 'Times are local: show UTC'}
    </button>
  );
};

const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" />
    <path d="M7 16h6m6 0h6" />
    <circle cx="16" cy="16" r="3.6" />
  </svg>
);
