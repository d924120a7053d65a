/** The report as one self-contained HTML page, in the light or dark scheme of its reader. */
import { countsOf, type KindReport, placeOf, type Report, violationText } from './report.js';
import type { Finding } from './walk.js';

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (value: string | number): string =>
  String(value)
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => entities[character]!);

const style = `
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --far: #6e7781; --line: #8884; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --far: #9198a1; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem; text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
.wide { overflow-x: auto; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .far { color: var(--far); }
pre { background: #8881; overflow-x: auto; padding: .5rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

const heads = (names: readonly string[]): string => names.map((name) => `<th scope="col">${text(name)}</th>`).join('');

/** Passed, failed and unreachable counts; each with its name, so that they don't differ by colour alone. */
function cell(findings: readonly Finding[]): string {
  if (findings.length === 0) return '<td></td>';
  const { passed, failed, unreachable } = countsOf(findings);
  const parts = [
    ...(passed > 0 ? [`<span class="good">${passed} ✓</span>`] : []),
    ...(failed > 0 ? [`<span class="bad">${failed} ✗</span>`] : []),
    ...(unreachable > 0 ? [`<span class="far">${unreachable} –</span>`] : []),
  ];
  return `<td>${parts.join(' ')}</td>`;
}

const summaryRow = (
  name: string,
  { passed, failed, unreachable, seconds }: Omit<KindReport, 'kind' | 'findings' | 'unmet' | 'allowed' | 'refused'>,
) =>
  `<tr><th scope="row">${text(name)}</th><td class="good">${passed}</td><td class="${failed > 0 ? 'bad' : ''}">${failed}</td><td class="far">${unreachable}</td><td>${seconds.toFixed(1)}</td></tr>`;

/** A table that scrolls separately if it is wider than the window, also by keyboard. */
const scrolling = (label: string, table: string): string =>
  `<div class="wide" role="region" tabindex="0" aria-label="${text(label)}">${table}</div>`;

function matrix(kind: string, findings: readonly Finding[]): string {
  const actions = [...new Set(findings.map(({ action }) => action))];
  const rows = new Map<string, Finding[]>();
  for (const finding of findings) {
    const name = `${finding.setting} / ${finding.situation}`;
    rows.set(name, [...(rows.get(name) ?? []), finding]);
  }
  const lines = [...rows].map(
    ([name, all]) =>
      `<tr><th scope="row">${text(name)}</th>${actions.map((action) => cell(all.filter((each) => each.action === action))).join('')}</tr>`,
  );
  return scrolling(
    `${kind}: situations and actions`,
    `<table><thead><tr>${heads(['situation', ...actions])}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`,
  );
}

function kindPart({ kind, findings, unmet, allowed, refused }: KindReport): string {
  const failures = findings
    .filter(({ outcome }) => outcome === 'failed')
    .map(
      (each) =>
        `<details open><summary class="bad">${text(placeOf(each))}</summary><pre>${text(violationText(each))}</pre></details>`,
    );
  const open = unmet.map((each) => `<li>${text(each)}</li>`).join('');
  return [
    `<section><h2>${text(kind)}</h2>`,
    `<p>${allowed} requests were accepted and ${refused} refused, as the definition says.</p>`,
    ...failures,
    matrix(kind, findings),
    unmet.length > 0
      ? `<details><summary>Not met by this walk: ${unmet.length}</summary><ul>${open}</ul></details>`
      : '',
    '</section>',
  ].join('\n');
}

const summary = (report: Report): string => `<table>
<thead><tr>${heads(['kind', 'passed ✓', 'failed ✗', 'not reachable –', 'seconds'])}</tr></thead>
<tbody>
${report.kinds.map((each) => summaryRow(each.kind, each)).join('\n')}
${summaryRow('all', report)}
</tbody>
</table>`;

export function htmlReport(report: Report): string {
  const { url, network, version, startedAt, kinds, waits, failed } = report;
  const verdict = failed > 0 ? `<p class="bad">${failed} requests failed.</p>` : '<p class="good">Nothing failed.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance of ${text(url)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Conformance walk</h1>
<p>svc-node ${text(version)} on ${text(network)}, ${text(url)}, ${text(startedAt)}</p>
${verdict}
${scrolling('all kinds', summary(report))}
<p>Not reachable from outside: it needs the node’s clock to be moved, or only the node’s clock may ask for it. That is not counted as passed.
${waits.count > 0 ? text(`The node had the walk wait ${waits.count} times, ${waits.seconds} s in all.`) : ''}</p>
${kinds.map(kindPart).join('\n')}
</main>
</body>
</html>
`;
}
