/**
 * Turns a request and its reply into an example: short enough for a page, still valid, and without anything that differs from
 * run to run.
 */
import type { RecordedExample } from '../../../src/http/openapi/recorded.js';
import type { Body, Reply, Request } from '../../node/support/client.js';

const longestText = 160;
const mostMembers = 40;
/** Below this depth only simple values are kept. */
const deepest = 9;

/** Keeps one element of each list, texts of bounded and even length (for hex), and few members of each map. */
export function shortened(value: Body, depth = 0): Body {
  if (typeof value === 'string') return value.length > longestText ? value.slice(0, longestText / 2) : value;
  if (Array.isArray(value)) {
    const isPlain = value.every((each) => typeof each !== 'object');
    return value.slice(0, isPlain ? 3 : 1).map((each) => shortened(each, depth + 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const shown = members.length > mostMembers || depth > deepest ? members.slice(0, 2) : members;
  return Object.fromEntries(shown.map(([name, member]) => [name, shortened(member, depth + 1)]));
}

/** Fixed values for figures that depend on the machine. */
const measured: { readonly [member: string]: number } = { uptime: 86, durationMs: 12, p50Ms: 1.2, p99Ms: 4.5 };

const withoutMeasures = (text: string): string =>
  text.replace(/"(uptime|durationMs|p50Ms|p99Ms)":[\d.]+/g, (_, name: string) => `"${name}":${measured[name]}`);

/** The OpenAPI document as an example within itself: only its outer members. */
const frames: { readonly [operation: string]: (body: Body) => Body } = {
  openApi: ({ openapi, info }) => ({
    openapi,
    info: { title: info.title, version: info.version },
    paths: {},
    components: {},
  }),
};

export function exampleOf(operation: string, { path, body }: Request, reply: Reply): RecordedExample {
  const given = body === undefined || body === '' ? {} : { body: shortened(body) };
  if (reply.body === undefined) return { path, ...given };
  const framed = frames[operation]?.(reply.body) ?? reply.body;
  return { path, ...given, reply: shortened(JSON.parse(withoutMeasures(JSON.stringify(framed)))) };
}
