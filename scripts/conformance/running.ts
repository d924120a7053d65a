/** The whole walk over a running node. */

import { scenarioOf } from '../../packages/model/src/scenarios.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { innerActions, Met } from './coverage.js';
import { Astray } from './driver.js';
import type { OutsideDriver } from './outside.js';
import { type KindReport, kindReport, type Report, totalled } from './report.js';
import { Stage } from './stage.js';
import { type Finding, type WalkOptions, walk } from './walk.js';
import { Stuck } from './wire.js';

export interface Wanted {
  /** Names of kinds; absent: all. */
  readonly kinds?: readonly string[] | undefined;
  /** Tries one in this many requests; default all. */
  readonly stride?: number;
  readonly onKind?: (report: KindReport) => void;
}

/** @throws Stuck for an unknown kind */
export function definitionsNamed(kinds: readonly string[] | undefined): AnyResource[] {
  const all = requestedOf(catalogue);
  const unknown = kinds?.find((kind) => !all.some((each) => each.kind === kind));
  if (unknown !== undefined)
    throw new Stuck(`there is no kind ${unknown}; there are: ${all.map(({ kind }) => kind).join(', ')}`);
  return all.filter(({ kind }) => kinds?.includes(kind) ?? true);
}

export async function conformance(driver: OutsideDriver, { kinds, stride, onKind }: Wanted = {}): Promise<Report> {
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const reports: KindReport[] = [];
  for (const definition of definitionsNamed(kinds)) {
    const report = await walkKind(driver, definition, stride);
    reports.push(report);
    onKind?.(report);
  }
  const { network, version } = driver.info;
  const { url, waits } = driver.wire;
  const seconds = (performance.now() - began) / 1000;
  return { url, network, version, startedAt, seconds, waits, ...totalled(reports), kinds: reports };
}

async function walkKind(driver: OutsideDriver, definition: AnyResource, stride = 1): Promise<KindReport> {
  const began = performance.now();
  const findings: Finding[] = [];
  const met = new Met();
  for (const setting of Object.keys(scenarioOf(definition).settings)) {
    for await (const finding of walkSetting(driver, definition, { setting, stride })) {
      findings.push(finding);
      met.add(finding);
    }
  }
  return kindReport(definition, [...findings, ...inner(definition)], met, (performance.now() - began) / 1000);
}

async function* walkSetting(
  driver: OutsideDriver,
  definition: AnyResource,
  options: WalkOptions,
): AsyncGenerator<Finding> {
  try {
    yield* walk(await Stage.open(driver, definition, options), options);
  } catch (error) {
    if (!(error instanceof Astray)) throw error;
    const { kind } = definition;
    const { what, expected, came } = error;
    const where = { kind, setting: options.setting, situation: 'before the first', state: '', action: 'create' };
    yield { ...where, asked: 'what there must be first', outcome: 'failed', flaw: { what, expected, came } };
  }
}

/**
 * Actions that only the clock or another request's workflow sends have no route, so they are unreachable from outside.
 */
const inner = (definition: AnyResource): Finding[] =>
  innerActions(definition)
    .filter((action) => definition.actions[action]!.who.includes('clock'))
    .map((action) => ({
      kind: definition.kind,
      setting: 'the clock',
      situation: 'at its time',
      state: '',
      action,
      asked: `clock: ${action}`,
      outcome: 'unreachable',
    }));
