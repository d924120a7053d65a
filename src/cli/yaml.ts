/**
 * Formats JSON values as YAML: block style, with double quotes around every text that could be read as something else.
 */
import { unicodeEscape } from './output.js';

const plainText = /^[A-Za-z][\w./:-]*$/;
const reserved = /^(true|false|null|yes|no|on|off|y|n)$/i;

const isPlain = (text: string): boolean => plainText.test(text) && !reserved.test(text) && !text.endsWith(':');
/** What YAML has no printable form of, and what YAML 1.1 takes for the end of a line; JSON leaves both as they are. */
const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
const textOf = (text: string): string =>
  isPlain(text) ? text : JSON.stringify(text).replace(unprintable, unicodeEscape);

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function scalar(value: unknown): string {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return '[]';
  return typeof value === 'object' && value !== null ? '{}' : String(value);
}

export function yamlOf(value: unknown, indent = ''): string {
  if (!isNested(value)) return `${indent}${scalar(value)}`;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    return value.map((each) => `${indent}- ${yamlOf(each, deeper).slice(deeper.length)}`).join('\n');
  }
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(
      ([name, each]) => `${indent}${textOf(name)}:${isNested(each) ? `\n${yamlOf(each, deeper)}` : ` ${scalar(each)}`}`,
    )
    .join('\n');
}
