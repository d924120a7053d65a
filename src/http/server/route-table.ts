/** Finds the route of a request by its method and path, as @koa/router matches them: letter by letter, with the last slash. */
import Router from '@koa/router';

export interface FoundRoute<T> {
  readonly value: T;
  /** Decoded. */
  readonly params: { readonly [name: string]: string };
}

export class RouteTable<T> {
  readonly #router = new Router({ sensitive: true, strict: true });
  /** By the router's layer. */
  readonly #values = new Map<unknown, T>();
  /** Routes without parameters by method and path: none wins over them, and the router would try each of its patterns. */
  readonly #fixed = new Map<string, FoundRoute<T>>();

  add(method: string, path: string, value: T): void {
    if (/^[\w/.-]+$/.test(path)) this.#fixed.set(`${method} ${path}`, { value, params: {} });
    this.#values.set(
      this.#router.register(path, [method], () => {}),
      value,
    );
  }

  /** The pattern with the fewest parameters wins, whatever the order of definition: `self` before `:did`. */
  find(method: string, path: string): FoundRoute<T> | undefined {
    const fixed = this.#fixed.get(`${method} ${path}`);
    if (fixed) return fixed;
    const { pathAndMethod: all } = this.#router.match(path, method);
    const [layer] = all.toSorted((one, other) => one.paramNames.length - other.paramNames.length);
    return layer && { value: this.#values.get(layer)!, params: layer.params(path, layer.captures(path)) };
  }

  /** The methods of a path, for `Allow`; empty if the path is unknown. */
  methods(path: string): readonly string[] {
    const methods = new Set(this.#router.match(path, 'OPTIONS').path.flatMap((layer) => layer.methods));
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  }
}
