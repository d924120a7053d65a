/** The report as JUnit XML: a suite for each kind, a case for each request. */
import { type KindReport, placeOf, type Report, violationText } from './report.js';
import type { Finding } from './walk.js';

/** Characters that XML 1.0 cannot contain. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(unwritable, '\ufffd')
    .replace(/[&<>"]/g, (character) => entities[character]!)
    .replace(/\r|\n/g, (character) => `&#${character.charCodeAt(0)};`);

function caseOf(finding: Finding): string {
  const head = `    <testcase classname="${xml(finding.kind)}" name="${xml(placeOf(finding))}"`;
  if (finding.outcome === 'passed') return `${head}/>`;
  if (finding.outcome === 'unreachable') return `${head}><skipped message="not reachable from outside"/></testcase>`;
  const what = xml(finding.flaw?.what ?? '');
  return `${head}><failure message="${what}">${xml(violationText(finding))}</failure></testcase>`;
}

const suiteOf = ({ kind, findings, failed, unreachable, seconds }: KindReport): string =>
  [
    `  <testsuite name="${xml(kind)}" tests="${findings.length}" failures="${failed}" errors="0" skipped="${unreachable}" time="${seconds.toFixed(3)}">`,
    ...findings.map(caseOf),
    '  </testsuite>',
  ].join('\n');

export function junitReport({ kinds, passed, failed, unreachable, seconds, startedAt }: Report): string {
  const tests = passed + failed + unreachable;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="svc-node conformance" tests="${tests}" failures="${failed}" skipped="${unreachable}" time="${seconds.toFixed(3)}" timestamp="${xml(startedAt)}">`,
    ...kinds.map(suiteOf),
    '</testsuites>',
    '',
  ].join('\n');
}
