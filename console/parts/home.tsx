/** Listings and identities of other homes (docs/reference/other-homes.md). */
import type { ComponentChildren } from 'preact';
import { homeName } from '../names/home-name.ts';
import { Time } from './text.tsx';

interface OfHome {
  /** DID; absent: of this node's own home. */
  readonly home?: string | undefined;
  /** Up to when the home was read. */
  readonly asOf?: number | undefined;
}

/** In a list: the home's name, if it has one, and its tag. */
export const HomeMark = ({ home }: OfHome) =>
  home === undefined ? null : (
    <span title={home}>
      at home <bdi>{homeName(home)}</bdi>
    </span>
  );

/** On the page of something that this node only shows. */
export const HomeNote = ({ home, asOf, children }: OfHome & { children?: ComponentChildren }) =>
  home === undefined ? null : (
    <p class="panel" role="note">
      From another home, <bdi>{homeName(home)}</bdi> (<span class="mono whole-did">{home}</span>)
      {asOf !== undefined && (
        <>
          , read up to <Time at={asOf} />
        </>
      )}
      . {children}
    </p>
  );
