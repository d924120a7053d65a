/**
 * Rules of an escrow in a short notation (docs/reference/escrows.md#rules): `manual`, `after=2026-12-01`, `sha256=…`. For the
 * command line and the console; programs write rules as objects.
 */

export interface WrittenRule {
  readonly type: string;
  readonly by?: readonly string[];
  readonly after?: number;
  readonly hash?: string;
  readonly signers?: readonly string[];
  readonly threshold?: number;
}

export const ruleForms = 'manual, manual=arbiter, after=2026-12-01, sha256=HASH, or signers=DID,DID:2';

/**
 * @param didOf returns the DID of a name in the address book, and other texts unchanged
 * @returns the rule, or the end of the sentence that says why the text is none
 */
export function ruleOf(text: string, didOf: (name: string) => string): WrittenRule | string {
  const [, name = '', value] = /^([a-z0-9]+)(?:=(.*))?$/s.exec(text.trim()) ?? [];
  if (name === 'manual') return value === undefined ? { type: 'manual' } : { type: 'manual', by: listOf(value, didOf) };
  if (name === 'after' && value) {
    const after = timeOf(value);
    return Number.isNaN(after) ? 'is not a time such as 2026-12-01 or 2026-12-01T12:00:00Z' : { type: 'time', after };
  }
  if (name === 'sha256' && value !== undefined && /^[0-9a-f]{64}$/i.test(value)) {
    return { type: 'hash', hash: value.toLowerCase() };
  }
  if (name === 'signers' && value) return signatureRule(value, didOf);
  return `is not a rule: it takes ${ruleForms}`;
}

const listOf = (text: string, didOf: (name: string) => string): string[] =>
  text
    .split(',')
    .filter((part) => part !== '')
    .map(didOf);

/** A date alone means its first moment in UTC. */
function timeOf(text: string): number {
  if (/^\d{1,16}$/.test(text)) return Number(text);
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}

/** The number behind the last colon is the threshold; no DID ends in one, because its last part begins with z. */
function signatureRule(text: string, didOf: (name: string) => string): WrittenRule {
  const [, names = text, threshold] = /^(.*):(\d{1,3})$/s.exec(text) ?? [];
  const signers = listOf(names, didOf);
  return { type: 'signature', signers, ...(threshold === undefined ? {} : { threshold: Number(threshold) }) };
}
