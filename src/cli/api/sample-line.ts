/** Example values as a command line takes them. */
import type { CommandField } from './fields.js';

/** `--amount 5 --release manual`. @param textOf how a value is shown */
export function flagsOf(
  fields: readonly CommandField[],
  values: { readonly [name: string]: unknown },
  textOf: (value: unknown) => string = flagText,
): string[] {
  return fields.flatMap(({ name, form, option }) => {
    const value = values[name];
    if (value === undefined || value === null) return [];
    if (form === 'boolean') return [`--${value ? '' : 'no-'}${option.name()}`];
    if (form === 'rules') return [`--${option.name()} manual`];
    return option.hidden ? [] : [`--${option.name()} ${textOf(value)}`];
  });
}

function flagText(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return quoted(value.join(','));
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** The text as one word of a shell. */
export const quoted = (text: string): string =>
  /^[\w.:,…/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A shorter form for help texts: long DIDs, hashes and JSON would hide the flags. */
export function shortFlagText(value: unknown): string {
  const text = typeof value === 'string' ? value.replace(/^(did:svc:z6Mk)\w+$/, '$1…') : flagText(value);
  return typeof value === 'object' && !Array.isArray(value) ? "'{…}'" : typeof value === 'string' ? quoted(text) : text;
}
