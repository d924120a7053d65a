/** One thing that is looked at. What it throws is a finding as well: a doctor does not faint. */
import type { Config } from '../../config.js';
import { endingOf } from '../failure.js';
import type { RunningNode } from '../running-node.js';
import { type Finding, Findings } from './finding.js';

export interface Patient {
  readonly config: Config;
  /** The node that runs on the data directory, if one does. */
  readonly running: RunningNode | undefined;
}

export interface Check<T> {
  readonly about: string;
  readonly look: (patient: T, findings: Findings) => void | Promise<void>;
}

export async function examine<T>(patient: T, checks: readonly Check<T>[]): Promise<Finding[]> {
  const all: Finding[] = [];
  for (const { about, look } of checks) {
    const findings = new Findings(about);
    try {
      await look(patient, findings);
    } catch (error) {
      findings.problem(endingOf(error).lines[0] ?? String(error), 'mend what it names, then ask again');
    }
    all.push(...findings.all);
  }
  return all;
}
