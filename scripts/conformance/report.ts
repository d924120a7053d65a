/** The results of a walk as counts, from which all forms of the report are made. */
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { type Met, missing } from './coverage.js';
import type { Finding } from './walk.js';
import type { Waits } from './wire.js';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Requests that need a clock which the walk cannot control: neither passed nor failed. */
  readonly unreachable: number;
}

export interface KindReport extends Counts {
  readonly kind: string;
  readonly seconds: number;
  /** Passed requests that were accepted, as they had to be. */
  readonly allowed: number;
  readonly refused: number;
  readonly findings: readonly Finding[];
  /** States, transitions, refusals and roles that the walk has not covered. */
  readonly unmet: readonly string[];
}

export interface Report extends Counts {
  readonly url: string;
  readonly network: string;
  readonly version: string;
  readonly startedAt: string;
  readonly seconds: number;
  /** How often and how long the walk had to wait for the node. */
  readonly waits: Waits;
  readonly kinds: readonly KindReport[];
}

export function countsOf(findings: readonly Finding[]): Counts {
  const count = (wanted: Finding['outcome']) => findings.filter(({ outcome }) => outcome === wanted).length;
  return { passed: count('passed'), failed: count('failed'), unreachable: count('unreachable') };
}

export function kindReport(
  definition: AnyResource,
  findings: readonly Finding[],
  met: Met,
  seconds: number,
): KindReport {
  return {
    kind: definition.kind,
    seconds,
    ...countsOf(findings),
    allowed: met.allowed,
    refused: met.refused,
    findings,
    unmet: missing(definition, met),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

export const totalled = (kinds: readonly KindReport[]): Counts => ({
  passed: sum(kinds.map(({ passed }) => passed)),
  failed: sum(kinds.map(({ failed }) => failed)),
  unreachable: sum(kinds.map(({ unreachable }) => unreachable)),
});

/** Where a finding was made. */
export const placeOf = ({ setting, situation, asked }: Finding): string => `${setting} / ${situation} / ${asked}`;

/** The failure of a finding in a few lines. */
export function violationText({ flaw }: Finding): string {
  if (!flaw) return '';
  const said = (name: string, value: unknown) =>
    value === undefined ? [] : [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
  return [flaw.what, ...said('expected', flaw.expected), ...said('came', flaw.came)].join('\n');
}
