/**
 * Makes an example of an exchange: short enough for a page, still valid, without anything that the next run would have
 * otherwise.
 */
import type { RecordedExample } from '../../../src/http/openapi/recorded.js';
import type { Body, Reply, Request } from '../../node/support/client.js';

const longestText = 160;
const mostMembers = 40;
/** Beyond this depth only leaves are shown whole. */
const deepest = 9;

/** Lists with one element, texts of bounded length (even, as hex must be), maps with few members. */
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

/** Figures of the machine that recorded. */
const measured: { readonly [member: string]: number } = { uptime: 86, durationMs: 12, p50Ms: 1.2, p99Ms: 4.5 };

const withoutMeasures = (text: string): string =>
  text.replace(/"(uptime|durationMs|p50Ms|p99Ms)":[\d.]+/g, (_, name: string) => `"${name}":${measured[name]}`);

/** The document inside of itself: its frame says enough. */
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
