/**
 * Routes outside `/api` (docs/reference/node.md#health): health, metrics, pages about errors, the OpenAPI document.
 */

import { sha256Hex } from '../../core/canonical.js';
import { codes, refuse } from '../../core/refusal.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import type { Urls } from '../../core/urls.js';
import { openApiOf } from '../openapi/openapi.js';
import {
  errorClassesSchema,
  explanationSchema,
  healthSchema,
  openApiSchema,
  readinessSchema,
} from '../openapi/schemas/system.js';
import { asset, escapeHtml, page, style, withCode } from '../render/pages.js';
import { codesOf, errorClasses, isSuffix } from '../server/error-classes.js';
import { explainedCode, isCode } from '../server/error-codes.js';
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
/** A reply that is a page for callers that accept HTML. */
const jsonOrPage = (schema: JsonSchema): Route['success'] => ({ ...json(schema), media: ['text/html'] });

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
  const explain = (suffix: keyof typeof errorClasses) => ({
    type: `${urls().errorBaseUrl}/${suffix}`,
    ...errorClasses[suffix],
    codes: codesOf(suffix),
  });
  return [
    {
      ...open,
      path: '/errors',
      name: 'listErrors',
      summary: 'List the classes of errors.',
      success: jsonOrPage(errorClassesSchema),
      handle: (call) => {
        const suffixes = Object.keys(errorClasses).filter(isSuffix);
        if (!wantsHtml(call)) return { status: 200, body: { errors: suffixes.map(explain) }, headers: varies };
        const items = suffixes.map(
          (each) => `<li><a href="/errors/${each}">${each}</a>: ${errorClasses[each].title}</li>`,
        );
        const codeItems = Object.keys(codes).map(
          (code) => `<li><a href="/errors/${code}"><code>${code}</code></a></li>`,
        );
        const body = `<h1>Errors</h1>\n<ul>\n${items.join('\n')}\n</ul>\n<h2>Codes</h2>\n<ul>\n${codeItems.join('\n')}\n</ul>`;
        return page({ title: 'Errors', body });
      },
    },
    {
      ...open,
      path: '/errors/:suffix',
      name: 'explainError',
      summary: 'Explain a class of errors or an error code: its meaning, and what to do.',
      success: jsonOrPage(explanationSchema),
      handle: (call) => {
        const { suffix = '' } = call.params;
        if (isCode(suffix)) {
          const explained = explainedCode(suffix, urls());
          return wantsHtml(call) ? codePage(explained) : { status: 200, body: explained, headers: varies };
        }
        if (!isSuffix(suffix))
          return refuse('NOT_FOUND', 'no such class of errors, and no such code; /errors lists them');
        return wantsHtml(call) ? errorPage(suffix) : { status: 200, body: explain(suffix), headers: varies };
      },
    },
  ];
}

const varies = { Vary: 'Accept' };
const wantsHtml = (call: Call): boolean => call.header('accept')?.includes('text/html') ?? false;

function errorPage(suffix: keyof typeof errorClasses): Reply {
  const { title, meaning, advice } = errorClasses[suffix];
  const rows = codesOf(suffix).map(
    ({ code, status }) => `<tr><td><a href="/errors/${code}"><code>${code}</code></a></td><td>${status}</td></tr>`,
  );
  return page({
    title,
    body: `<h1>${title}</h1>
<p>${withCode(meaning)}</p>
<h2>What to do</h2>
<p>${withCode(advice)}</p>
<h2>Codes</h2>
<table><tbody>
${rows.join('\n')}
</tbody></table>
<p><a href="/errors">All errors</a> · <a href="/docs">API</a></p>`,
  });
}

function codePage({ code, status, title, meaning, advice, type, example }: ReturnType<typeof explainedCode>): Reply {
  const suffix = type.slice(type.lastIndexOf('/') + 1);
  return page({
    title: code,
    body: `<h1><code>${code}</code></h1>
<p>${withCode(meaning)}</p>
<h2>What to do</h2>
<p>${withCode(advice)}</p>
<h2>Example</h2>
<p>Status ${status}, in the class <a href="/errors/${suffix}">${title}</a>. <code>detail</code> may say something else.</p>
<pre tabindex="0"><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre>
<p><a href="/errors">All errors</a> · <a href="/docs">API</a></p>`,
  });
}

function describedRoutes({ routes, version, network }: SystemOptions): Route[] {
  let described: Reply | undefined;
  const describe = (): Reply => {
    const text = JSON.stringify(openApiOf(routes(), { version, network }));
    return asset('application/json', text, sha256Hex(text).slice(0, 32));
  };
  const styled = asset('text/css', style, sha256Hex(style).slice(0, 32));
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
    {
      ...open,
      path: '/docs/style.css',
      name: 'docsStyle',
      summary: 'Get a file of the API page.',
      success: text('text/css'),
      handle: () => styled,
    },
  ];
}
