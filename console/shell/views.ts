/**
 * The views of the console. A view is a folder `views/<name>/` whose `view.tsx` default-exports one of these objects. The build
 * finds it there, so it is listed nowhere else.
 */
import type { ComponentType } from 'preact';
import type { Route } from './route.ts';

export interface View {
  /** First segment of its address; empty for the start view. */
  readonly path: string;
  readonly title: string;
  /** Of a page that is about one thing: what it is. */
  readonly titleOf?: (route: Route) => string | undefined;
  /** Position in the navigation. */
  readonly order: number;
  /** The network whose nodes show this view; absent: all networks. */
  readonly onlyOn?: string;
  /** Not in the navigation: reached through links. */
  readonly isHidden?: boolean;
  /** Everything below the heading, which the shell renders. */
  readonly Page: ComponentType<{ readonly route: Route }>;
}

const found = import.meta.glob<View>('../views/*/view.tsx', { eager: true, import: 'default' });

export const views: readonly View[] = Object.values(found).sort((one, other) => one.order - other.order);

export const viewAt = (path: string): View | undefined => views.find((view) => view.path === path);
