/** One check of `svc-node doctor`. An error that it throws becomes a finding. */
import type { Config } from '../../node/config/config.js';
import { exitReportOf } from '../failure.js';
import type { NodeProcess } from '../running-node.js';
import { type DoctorFinding, Findings } from './finding.js';

export interface DoctorContext {
  readonly config: Config;
  /** The node that runs on the data directory; undefined when none does. */
  readonly running: NodeProcess | undefined;
}

export interface Check<T> {
  readonly about: string;
  readonly look: (context: T, findings: Findings) => void | Promise<void>;
}

export async function runChecks<T>(context: T, checks: readonly Check<T>[]): Promise<DoctorFinding[]> {
  const all: DoctorFinding[] = [];
  for (const { about, look } of checks) {
    const findings = new Findings(about);
    try {
      await look(context, findings);
    } catch (error) {
      findings.problem(exitReportOf(error).lines[0] ?? String(error), 'fix what it names, then run doctor again');
    }
    all.push(...findings.all);
  }
  return all;
}
