/**
 * @koa/router with an index: the router tries every pattern on every request, which with the node's hundred
 * routes costs more than the rest of a read. Only patterns of the same length, third and last segment can match.
 */
import Router, { type Layer, type MatchResult } from '@koa/router';
import type { Next } from 'koa';
import type { ExchangeContext } from './pipeline.js';
import type { Route } from './route.js';

type Handler = (ctx: ExchangeContext) => Promise<void> | void;

export class IndexedRouter extends Router {
  /** By length, then by third segment, then by the last one: empty where that is open. */
  readonly #index = new Map<number, Map<string, Map<string, Layer[]>>>();
  /** Patterns whose third segment, or whose length, is open. */
  readonly #anywhere: Layer[] = [];
  readonly #handlers = new Map<Layer, Handler>();

  constructor() {
    // The pattern with the fewest parameters wins, whatever the order: `self` before `:did`.
    super({ exclusive: 'specificity', sensitive: true, strict: true });
  }

  add({ method, path, name }: Route, handler: Handler): void {
    const layer = this.register(path, [method], (ctx) => handler(ctx as unknown as ExchangeContext), { name }) as Layer;
    this.#handlers.set(layer, handler);
    const third = thirdSegment(path);
    if (path.includes('*') || /[:{]/.test(third)) {
      this.#anywhere.push(layer);
      return;
    }
    const slashes = countSlashes(path);
    const byThird = this.#index.get(slashes) ?? new Map<string, Map<string, Layer[]>>();
    this.#index.set(slashes, byThird);
    const byLast = byThird.get(third) ?? new Map<string, Layer[]>();
    byThird.set(third, byLast);
    const last = /[:{]/.test(lastSegment(path)) ? '' : lastSegment(path);
    byLast.set(last, [...(byLast.get(last) ?? []), layer]);
  }

  /** As the router's own does it, but without hosts, prefixes and chains of layers, which cost more than the route. */
  override routes(): ReturnType<Router['routes']> {
    const dispatch = (ctx: ExchangeContext, next: Next) => {
      const { path, method } = ctx;
      const layer = mostSpecific(this.match(path, method).pathAndMethod);
      if (!layer) return next();
      ctx.params = paramsOf(layer, path);
      return this.#handlers.get(layer)!(ctx);
    };
    return dispatch as unknown as ReturnType<Router['routes']>;
  }

  override match(path: string, method: string): MatchResult {
    const result: MatchResult = { path: [], pathAndMethod: [], route: false };
    const byLast = this.#index.get(countSlashes(path))?.get(thirdSegment(path));
    const last = lastSegment(path);
    const named = last === '' ? undefined : byLast?.get(last);
    if (named) tryAll(named, path, method, result);
    const open = byLast?.get('');
    if (open) tryAll(open, path, method, result);
    if (this.#anywhere.length > 0) tryAll(this.#anywhere, path, method, result);
    return result;
  }

  /** The methods of a path, for `Allow`; empty where the path is unknown. */
  methodsOf(path: string): readonly string[] {
    const methods = new Set(this.match(path, 'OPTIONS').path.flatMap((layer) => layer.methods));
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  }
}

function mostSpecific([first, ...others]: readonly Layer[]): Layer | undefined {
  return others.reduce((best, each) => (each.paramNames.length < best!.paramNames.length ? each : best), first);
}

function tryAll(layers: readonly Layer[], path: string, method: string, result: MatchResult): void {
  for (const layer of layers) {
    if (!layer.regexp.test(path)) continue;
    result.path.push(layer);
    if (layer.methods.includes(method)) {
      result.pathAndMethod.push(layer);
      result.route = true;
    }
  }
}

/** As the layer itself gives them; it decodes each, also where nothing is encoded. */
function paramsOf(layer: Layer, path: string): ExchangeContext['params'] {
  const captures = layer.captures(path);
  if (path.includes('%')) return layer.params(path, captures);
  const params: ExchangeContext['params'] = {};
  for (let i = 0; i < captures.length; i++) {
    const name = layer.paramNames[i]?.name;
    if (name !== undefined && captures[i]) params[name] = captures[i];
  }
  return params;
}

function countSlashes(path: string): number {
  let count = 0;
  for (let i = 0; i < path.length; i++) if (path.charCodeAt(i) === 47) count += 1;
  return count;
}

/** `escrows` of `/api/v1/escrows/x`; empty where there is none. */
function thirdSegment(path: string): string {
  const first = path.indexOf('/', 1);
  if (first < 0) return '';
  const start = path.indexOf('/', first + 1) + 1;
  if (start === 0) return '';
  const end = path.indexOf('/', start);
  return end < 0 ? path.slice(start) : path.slice(start, end);
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
