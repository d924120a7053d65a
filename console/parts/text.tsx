/** Short texts with a meaning: hashes, DIDs, resources, times, links. Values from outside are rendered as text only. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { abridged, clock, instant, safeUrl } from '../format/format.ts';
import type { Amounts } from '../format/outcome.ts';
import { stateText } from '../format/states.ts';
import { href } from '../shell/route.ts';
import { Did } from './did.tsx';
import { useSpelling } from './page-home.ts';

export { Did } from './did.tsx';

/** An abridged code with a button that copies all of it. */
export function Code({ text, what, head = 8, tail = 4 }: { text: string; what: string; head?: number; tail?: number }) {
  return (
    <span class="code">
      <code title={text}>{abridged(text, head, tail)}</code>
      <Copy text={text} what={what} />
    </span>
  );
}

const saidForMs = 1_500;

/** Shown if the browser allows the page to write to the clipboard. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), saidForMs);
    return () => clearTimeout(timer);
  }, [done]);
  if (!navigator.clipboard) return null;
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setDone(true),
      () => setDone(false),
    );
  return (
    <button type="button" class="copy" onClick={copy} aria-label={done ? 'Copied' : `Copy the ${what}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {done ? <path d="M3 8.5l3.2 3.2L13 4.8" /> : <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />}
      </svg>
    </button>
  );
}

/** Links to the resource's chart; an identity has its own page instead. */
interface ResourceLinkProps {
  readonly kind: string;
  readonly id: string;
  /** Instead of the id. */
  readonly text?: string | null | undefined;
}

export function ResourceLink({ kind, id, text }: ResourceLinkProps) {
  const spelled = useSpelling();
  return id.startsWith('did:') ? (
    <Did did={id} />
  ) : (
    <a class={text ? 'plain-text' : 'mono'} href={href('charts', [kind, spelled(id)])} title={`${kind}/${id}`}>
      {text ? <bdi>{text}</bdi> : abridged(id, 16, 4)}
    </a>
  );
}

interface TimeProps {
  readonly at: number;
  /** Without the date. */
  readonly short?: boolean;
  /** With milliseconds, if several rows share a second (`shareASecond`). */
  readonly exact?: boolean;
}

export const Time = ({ at, short = false, exact = false }: TimeProps) => (
  <time dateTime={new Date(at).toISOString()} title={instant(at, { exact: true })} class="number">
    {short ? clock(at, { exact }) : instant(at, { exact })}
  </time>
);

/** An external link if the text is an http(s) URL, otherwise the text. */
export function Elsewhere({ url, children }: { url: string; children?: ComponentChildren }) {
  const safe = safeUrl(url);
  if (safe === undefined) return <span>{url}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer">
      {children ?? url}
    </a>
  );
}

export const Badge = ({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'bad' | 'warn';
  children: ComponentChildren;
}) => <span class={`badge ${tone}`}>{children}</span>;

/** The colour of a badge for each tone that a definition gives a state. */
const badgeTones = { good: 'good', neutral: 'plain', trouble: 'bad' } as const;

interface StateProps {
  readonly path: string;
  readonly tone?: keyof typeof badgeTones | undefined;
  /** What was paid and given back until then. */
  readonly amounts?: Amounts | undefined;
}

/** A state: its status and, if it has one, its substate in words. */
export const State = ({ path, tone = 'neutral', amounts }: StateProps) => (
  <Badge tone={badgeTones[tone]}>{stateText(path, amounts)}</Badge>
);
