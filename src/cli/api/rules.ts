/**
 * Rules of an escrow in a short notation (docs/reference/escrows.md#rules): `manual`, `after=2026-12-01`, `sha256=…`.
 */
import { UsageFault } from '../failure.js';

export interface WrittenRule {
  readonly type: string;
  readonly by?: readonly string[];
  readonly after?: number | string;
  readonly hash?: string;
  readonly signers?: readonly string[];
  readonly threshold?: number;
}

export const ruleForms = 'manual, manual=arbiter, after=2026-12-01, sha256=HASH, or signers=DID,DID:2';

/** @param didOf returns the DID of a name in the address book, and other texts unchanged */
export function ruleOf(flag: string, text: string, didOf: (name: string) => string): WrittenRule {
  const [, name = '', value] = /^([a-z0-9]+)(?:=(.*))?$/s.exec(text.trim()) ?? [];
  if (name === 'manual') return value === undefined ? { type: 'manual' } : { type: 'manual', by: listOf(value, didOf) };
  if (name === 'after' && value) return { type: 'time', after: timeOf(flag, value) };
  if (name === 'sha256' && value !== undefined && /^[0-9a-f]{64}$/i.test(value)) {
    return { type: 'hash', hash: value.toLowerCase() };
  }
  if (name === 'signers' && value) return signatureRule(value, didOf);
  throw new UsageFault([`${flag} ${text} is not a rule: it takes ${ruleForms}.`]);
}

const listOf = (text: string, didOf: (name: string) => string): string[] =>
  text
    .split(',')
    .filter((part) => part !== '')
    .map(didOf);

/** A date alone means its first moment in UTC. */
function timeOf(flag: string, text: string): number | string {
  if (/^\d{1,16}$/.test(text)) return Number(text);
  const epochMs = Date.parse(text);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(epochMs)) return epochMs;
  throw new UsageFault([`${flag} after=${text} is not a time such as 2026-12-01 or 2026-12-01T12:00:00Z.`]);
}

/** The number behind the last colon is the threshold; no DID ends in one, because its last part begins with z. */
function signatureRule(text: string, didOf: (name: string) => string): WrittenRule {
  const [, names = text, threshold] = /^(.*):(\d{1,3})$/s.exec(text) ?? [];
  const signers = listOf(names, didOf);
  return { type: 'signature', signers, ...(threshold === undefined ? {} : { threshold: Number(threshold) }) };
}
