/** Examples that a node has answered (`npm run record-examples`), as the description of the API shows them. */
import { examples } from './examples.js';

/** An operation in `examples.ts`. */
export interface RecordedExample {
  /** Path and query of the request. */
  readonly path: string;
  readonly body?: { readonly [member: string]: unknown };
  readonly reply?: { readonly [member: string]: unknown };
}

/** Undefined for operations of kinds that are not this release's. */
export const recordedOf = (operation: string): Partial<RecordedExample> =>
  Object.hasOwn(examples, operation) ? (JSON.parse(examples[operation]!) as RecordedExample) : {};

/** What the recorded path has in the place of each parameter. */
export function placesOf(template: string, path: string | undefined): { readonly [parameter: string]: string } {
  const [plain = ''] = (path ?? '').split('?');
  const parts = plain.split('/');
  const named = template.split('/').map((name, index) => [name, parts[index] ?? ''] as const);
  const places = named.filter(([name]) => name.startsWith(':'));
  if (named.length !== parts.length) return {};
  return Object.fromEntries(places.map(([name, value]) => [name.slice(1), decodeURIComponent(value)]));
}
