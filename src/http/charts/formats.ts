/** The formats in which a kind's chart is served; each is rendered once. */
import { createHash } from 'node:crypto';
import type { MachineChart } from '../../../packages/client/src/wire.js';
import { sha256Hex } from '../../core/canonical.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import type { AnyDefinition } from '../../machines/kernel/definition.js';
import type { Reply } from '../server/route.js';
import { chartViewOf } from './chart-view.js';
import { mermaidOf } from './mermaid.js';
import { svgOf } from './svg.js';
import { svgStyle } from './svg-style.js';
import { csvOf, markdownOf } from './table.js';
import { xstateOf } from './xstate.js';

export const formats = ['json', 'xstate', 'mermaid', 'svg', 'csv', 'markdown'] as const;
export type Format = (typeof formats)[number];

interface Form {
  readonly type: string;
  readonly write: (view: MachineChart) => string | Refusal;
}

export const xstateType = 'application/vnd.xstate+json';

const forms: { readonly [format in Format]: Form } = {
  json: { type: 'application/json', write: (view) => JSON.stringify(view) },
  xstate: { type: xstateType, write: (view) => `${JSON.stringify(xstateOf(view), null, 2)}\n` },
  mermaid: { type: 'text/vnd.mermaid', write: mermaidOf },
  svg: {
    type: 'image/svg+xml',
    write: (view) =>
      view.layout
        ? svgOf(view, view.layout)
        : refuse('NOT_FOUND', `definition version ${view.version} has no drawing; its other formats are there`),
  },
  csv: { type: 'text/csv', write: csvOf },
  markdown: { type: 'text/markdown', write: markdownOf },
};

/** Media types of the replies that are not JSON. */
export const mediaTypes: readonly string[] = formats
  .map((format) => forms[format].type)
  .filter((type) => type !== 'application/json');

/** The first available format in `Accept`; JSON if none is available. */
export function acceptedFormat(accept: string | undefined): Format {
  for (const range of (accept ?? '').split(',')) {
    const type = range.split(';')[0]!.trim().toLowerCase();
    const format = formats.find((each) => forms[each].type === type);
    if (format) return format;
  }
  return 'json';
}

const replies = new WeakMap<AnyDefinition, Map<Format, Reply | Refusal>>();

export function formOf(definition: AnyDefinition, format: Format): Reply | Refusal {
  const made = replies.get(definition) ?? new Map<Format, Reply | Refusal>();
  replies.set(definition, made);
  const reply = made.get(format) ?? replyOf(definition, format);
  made.set(format, reply);
  return reply;
}

/** Allows an SVG opened on its own to use its own style and nothing else. */
const svgPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(svgStyle).digest('base64')}'; frame-ancestors 'none'`;

function replyOf(definition: AnyDefinition, format: Format): Reply | Refusal {
  const { type, write } = forms[format];
  const text = write(chartViewOf(definition));
  if (typeof text !== 'string') return text;
  return {
    status: 200,
    headers: {
      ETag: `"${sha256Hex(text).slice(0, 32)}"`,
      'Cache-Control': 'no-cache',
      Vary: 'Accept',
      ...(format === 'svg' ? { 'Content-Security-Policy': svgPolicy } : {}),
    },
    stream: { type: `${type}; charset=utf-8`, chunks: text },
  };
}
