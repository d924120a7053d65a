/** The report as text for a terminal. */
import { type Counts, type KindReport, placeOf, type Report, violationText } from './report.js';

/** The most failures that are printed for each kind. */
const mostPrinted = 20;

const columns = ['kind', 'passed', 'failed', 'needs a clock', 'seconds'];
const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, i) => (i === 0 ? String(cell).padEnd(20) : String(cell).padStart(14))).join('');

const counted = (name: string, { passed, failed, unreachable }: Counts, seconds: number): string =>
  line([name, passed, failed, unreachable, seconds.toFixed(1)]);

function failuresOf({ kind, findings, failed }: KindReport): string[] {
  const shown = findings.filter(({ outcome }) => outcome === 'failed').slice(0, mostPrinted);
  return [
    ...shown.map((finding) => `\n${kind}: ${placeOf(finding)}\n${violationText(finding).replace(/^/gm, '    ')}`),
    ...(failed > shown.length ? [`\n${kind}: and ${failed - shown.length} more`] : []),
  ];
}

const totals = ({ passed, failed, unreachable, seconds }: Report): string =>
  `All kinds: ${passed} passed, ${failed} failed, ${unreachable} need the node's clock to be moved and were not tried; ${seconds.toFixed(1)} s.`;

export function plainReport(report: Report): string {
  const { kinds, waits, url, network, version } = report;
  return [
    `svc-node ${version} on ${network}, ${url}`,
    line(columns),
    ...kinds.map((each) => counted(each.kind, each, each.seconds)),
    `\n${totals(report)}`,
    ...kinds.flatMap(failuresOf),
    ...(waits.count > 0 ? [`\nThe node had the walk wait ${waits.count} times, ${waits.seconds} s in all.`] : []),
    '',
  ].join('\n');
}
