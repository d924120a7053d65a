/**
 * The views of the console. A view is a folder `views/<name>/` whose `view.tsx` exports one of these as its default;
 * it is found by that and needs no mention anywhere else.
 */
import type { ComponentType } from 'preact';
import type { Route } from './route.ts';

export interface View {
  /** First part of its address; empty for the view that opens first. */
  readonly path: string;
  readonly title: string;
  /** Place in the navigation. */
  readonly order: number;
  /** The only network whose nodes offer it. */
  readonly onlyOn?: string;
  /** Reached by other ways than the navigation. */
  readonly isHidden?: boolean;
  /** Everything below the heading, which the shell writes. */
  readonly Page: ComponentType<{ readonly route: Route }>;
}

const found = import.meta.glob<View>('../views/*/view.tsx', { eager: true, import: 'default' });

export const views: readonly View[] = Object.values(found).sort((one, other) => one.order - other.order);

export const viewAt = (path: string): View | undefined => views.find((view) => view.path === path);
