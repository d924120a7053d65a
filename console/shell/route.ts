/** Where the page is: `#/<view>/<segment>/…?name=value`. Behind the hash, so that the node serves one page. */
import { signal } from '@preact/signals';

export interface Route {
  /** Empty for the first view. */
  readonly view: string;
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

export type RouteQuery = { readonly [name: string]: string | number | undefined };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand, and no escape at all
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

/** Another address for what is shown already: no step back leads here. */
export function settle(address: string): void {
  history.replaceState(null, '', address);
  route.value = parseRoute(location.hash);
}
