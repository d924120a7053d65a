/** Finds the route of a request by its method and path. A path is compared letter by letter, with its last slash. */

type Params = { readonly [name: string]: string };

interface Pattern<T> {
  readonly segments: readonly string[];
  readonly methods: Map<string, T>;
}

export interface FoundRoute<T> {
  readonly value: T;
  /** Decoded. */
  readonly params: Params;
}

const none: Params = Object.freeze({});
const isParameter = (segment: string): boolean => segment.startsWith(':');

export class RouteTable<T> {
  /** Of paths without parameters, which most requests have. */
  readonly #fixed = new Map<string, Map<string, T>>();
  /** Of the others, by number of segments; those with the fewest parameters first: `self` before `:did`. */
  readonly #patterns = new Map<number, Pattern<T>[]>();

  add(method: string, path: string, value: T): void {
    const methods = path.includes('/:') ? this.#patternOf(path) : (this.#fixed.get(path) ?? new Map<string, T>());
    if (!path.includes('/:')) this.#fixed.set(path, methods);
    methods.set(method, value);
    if (method === 'GET') methods.set('HEAD', value);
  }

  find(method: string, path: string): FoundRoute<T> | undefined {
    const fixed = this.#fixed.get(path)?.get(method);
    if (fixed !== undefined) return { value: fixed, params: none };
    const segments = path.split('/');
    for (const pattern of this.#patterns.get(segments.length) ?? []) {
      const value = isAt(pattern, segments) ? pattern.methods.get(method) : undefined;
      if (value !== undefined) return { value, params: paramsIn(pattern, segments) };
    }
    return undefined;
  }

  /** The methods of a path, for `Allow`; empty if the path is unknown. */
  methods(path: string): readonly string[] {
    const segments = path.split('/');
    const patterns = (this.#patterns.get(segments.length) ?? []).filter((pattern) => isAt(pattern, segments));
    const all = [this.#fixed.get(path), ...patterns.map(({ methods }) => methods)];
    const methods = new Set(all.flatMap((each) => [...(each?.keys() ?? [])]));
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  }

  #patternOf(path: string): Map<string, T> {
    const segments = path.split('/');
    const alike = this.#patterns.get(segments.length) ?? [];
    const known = alike.find((pattern) => pattern.segments.join('/') === path);
    if (known) return known.methods;
    const made: Pattern<T> = { segments, methods: new Map() };
    const parameters = ({ segments }: Pattern<T>) => segments.filter(isParameter).length;
    alike.push(made);
    this.#patterns.set(
      segments.length,
      alike.sort((one, other) => parameters(one) - parameters(other)),
    );
    return made.methods;
  }
}

const isAt = <T>({ segments }: Pattern<T>, given: readonly string[]): boolean =>
  segments.every((each, at) => (isParameter(each) ? given[at] !== '' : given[at] === each));

const paramsIn = <T>({ segments }: Pattern<T>, given: readonly string[]): Params =>
  Object.fromEntries(segments.flatMap((each, at) => (isParameter(each) ? [[each.slice(1), decoded(given[at]!)]] : [])));

/** As it stands, if its percent signs encode nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
