/** The page's address: `#/<view>/<segment>/…?name=value`. It is in the fragment, so that the node serves only one page. */
import { signal } from '@preact/signals';

export interface Route {
  /** Empty for the start view. */
  readonly view: string;
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

export type RouteQuery = { readonly [name: string]: string | number | undefined };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand, and not a valid escape sequence
  }
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [view = '', ...segments] = path.split('/').map(decoded);
  return { view, segments: segments.filter((each) => each !== ''), query: new URLSearchParams(query) };
}

/** The address of a view: `href('charts', ['escrow', id], { step: 3 })`. */
export function href(view: string, segments: readonly string[] = [], query: RouteQuery = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search =
    given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
  return `#/${[view, ...segments].map(encodeURIComponent).join('/')}${search}`;
}

export const route = signal<Route>(parseRoute(location.hash));

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});

export function go(address: string): void {
  location.hash = address;
}

/** Replaces the address of the current view without adding a step to the browser's history. */
export function settle(address: string): void {
  history.replaceState(null, '', address);
  route.value = parseRoute(location.hash);
}
