/**
 * Routes outside `/api` (docs/reference/node.md#health): health, metrics, pages about errors, the OpenAPI document.
 */

import { sha256Hex } from '../../core/canonical.js';
import { refuse } from '../../core/refusal.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import type { Urls } from '../../core/urls.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import { openApiOf } from '../openapi/openapi.js';
import {
  errorClassesSchema,
  explanationSchema,
  healthSchema,
  openApiSchema,
  readinessSchema,
} from '../openapi/schemas/system.js';
import { errorClasses, explainedClass, explainedCode, isCode, isSuffix } from '../server/error-codes.js';
import type { Metrics } from '../server/metrics.js';
import type { Call, Reply, Route } from '../server/route.js';
import { consoleRoutes, guideRoutes } from './console.js';

/** `unavailable`: 503, the store does not answer. `degraded`: 200, with the reason. */
export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly reasons: readonly string[];
  readonly [more: string]: unknown;
}

export interface SystemOptions {
  readonly version: string;
  readonly network: string;
  readonly catalogue?: Catalogue;
  readonly metrics: Metrics;
  readonly readiness: () => Readiness | Promise<Readiness>;
  /** All routes of the server; called once, at the first request for the OpenAPI document. */
  readonly routes: () => readonly Route[];
  readonly urls: () => Urls;
}

const tag = 'System';
const open = { method: 'GET', tag, scope: 'read', open: true } as const;

const description = 'success';
const json = (schema: JsonSchema): Route['success'] => ({ status: 200, schema, description });
const text = (...media: readonly string[]): Route['success'] => ({ status: 200, media, description });

export function systemRoutes(options: SystemOptions): Route[] {
  return [
    ...healthRoutes(options),
    ...errorRoutes(options),
    ...describedRoutes(options),
    ...consoleRoutes(),
    ...guideRoutes(),
  ];
}

function healthRoutes({ metrics, readiness }: SystemOptions): Route[] {
  return [
    {
      ...open,
      path: '/healthz',
      name: 'health',
      summary: 'Check whether the process answers.',
      success: json(healthSchema),
      handle: () => ({ status: 200, body: { status: 'ok' } }),
    },
    {
      ...open,
      path: '/readyz',
      name: 'readiness',
      summary: 'Check whether the node is ready: 200 ready or degraded, 503 unavailable.',
      success: json(readinessSchema),
      async handle() {
        const state = await readiness();
        if (state.status !== 'unavailable') return { status: 200, body: { ...state } };
        return refuse('SERVICE_UNAVAILABLE', state.reasons.join('; ') || 'the node is not ready');
      },
    },
    {
      ...open,
      open: false,
      path: '/metrics',
      name: 'metrics',
      summary: 'Get the metrics in the Prometheus text format, with a read key or from the node’s machine.',
      success: text('text/plain'),
      handle: async () => ({
        status: 200,
        stream: { type: metrics.registry.contentType, chunks: await metrics.text() },
      }),
    },
  ];
}

function errorRoutes({ urls }: SystemOptions): Route[] {
  return [
    {
      ...open,
      path: '/errors',
      name: 'listErrors',
      summary: 'List the classes of errors.',
      success: { ...json(errorClassesSchema), hasPage: true },
      handle(call) {
        const errors = Object.keys(errorClasses).filter(isSuffix);
        return jsonOrGuide(call, '', { errors: errors.map((suffix) => explainedClass(suffix, urls())) });
      },
    },
    {
      ...open,
      path: '/errors/:suffix',
      name: 'explainError',
      summary: 'Explain a class of errors or an error code: its meaning, and what to do.',
      success: { ...json(explanationSchema), hasPage: true },
      handle(call) {
        const { suffix = '' } = call.params;
        if (isCode(suffix)) return jsonOrGuide(call, `#${suffix.toLowerCase()}`, explainedCode(suffix, urls()));
        return isSuffix(suffix)
          ? jsonOrGuide(call, `#type-${suffix}`, explainedClass(suffix, urls()))
          : refuse('NOT_FOUND', 'no such class of errors, and no such code; /errors lists them');
      },
    },
  ];
}

/** People are led to the place in the guide that says the same. */
function jsonOrGuide(call: Call, place: string, body: NonNullable<Reply['body']>): Reply {
  const headers = { Vary: 'Accept' };
  return call.header('accept')?.includes('text/html')
    ? { status: 302, headers: { ...headers, Location: `/guide/generated.errors${place}` } }
    : { status: 200, body, headers };
}

function describedRoutes({ routes, ...frame }: SystemOptions): Route[] {
  let described: Reply | undefined;
  const describe = (): Reply => {
    const text = JSON.stringify(openApiOf(routes(), frame));
    return {
      status: 200,
      headers: { ETag: `"${sha256Hex(text).slice(0, 32)}"`, 'Cache-Control': 'no-cache' },
      stream: { type: 'application/json; charset=utf-8', chunks: Buffer.from(text), shared: true },
    };
  };
  return [
    {
      ...open,
      path: '/openapi.json',
      name: 'openApi',
      summary: 'Get this API as an OpenAPI 3.1 document.',
      success: json(openApiSchema),
      handle: () => {
        described ??= describe();
        return described;
      },
    },
  ];
}
