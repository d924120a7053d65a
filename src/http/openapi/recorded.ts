/** Examples recorded from a running node (`npm run record-examples`), as the API description shows them. */
import { examples } from './examples.js';

/** An operation in `examples.ts`. */
export interface RecordedExample {
  /** Path and query of the request. */
  readonly path: string;
  readonly body?: { readonly [member: string]: unknown };
  readonly reply?: { readonly [member: string]: unknown };
}

/** The recorded example of an operation; empty for operations that this release's recording lacks. */
export const recordedOf = (operation: string): Partial<RecordedExample> =>
  Object.hasOwn(examples, operation) ? (JSON.parse(examples[operation]!) as RecordedExample) : {};

/** The values of a template's parameters in the recorded path. */
export function parameterValues(template: string, path: string | undefined): { readonly [parameter: string]: string } {
  const [plain = ''] = (path ?? '').split('?');
  const parts = plain.split('/');
  const named = template.split('/').map((name, index) => [name, parts[index] ?? ''] as const);
  const places = named.filter(([name]) => name.startsWith(':'));
  if (named.length !== parts.length) return {};
  return Object.fromEntries(places.map(([name, value]) => [name.slice(1), decodeURIComponent(value)]));
}
