/** A signed audit report as one printable HTML file that contains the signed JSON. */
import type { Replies } from '../../api/types.ts';
import { checks } from './checks.ts';

export type AuditReport = Replies['getAuditReport'];

const escapes: { readonly [letter: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (value: unknown): string => String(value).replace(/[&<>"']/g, (letter) => escapes[letter]!);
const time = (at: number | null): string => (at === null ? 'not finished' : new Date(at).toISOString());

const style = `
body { font: 11pt/1.45 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #ccc; overflow-wrap: anywhere; }
th { width: 11rem; font-weight: 500; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 8pt; border: 1px solid #ccc; padding: .5rem; }
@page { margin: 18mm; }`;

const verdicts = {
  sound: 'The journal is sound',
  flawed: 'The journal is not sound',
  unfinished: 'The audit reached no verdict',
  running: 'The audit is running',
} as const;

const rows = (all: readonly (readonly [string, unknown])[]): string =>
  all
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `<tr><th scope="row">${text(name)}</th><td>${text(value)}</td></tr>`)
    .join('\n');

export function reportPage(report: AuditReport): string {
  const { id, node, network, status, startedAt, finishedAt, checked, total, journal, chain, flaw, note, sig } = report;
  const facts = rows([
    ...([
      ['Node', node],
      ['Network', network],
      ['Started', time(startedAt)],
      ['Finished', time(finishedAt)],
    ] as const),
    ['Entries checked', `${checked} of ${total}`],
    ['First problem', flaw && `${flaw.seq > 0 ? `entry ${flaw.seq}: ` : ''}${flaw.what}`],
    ['Note', note],
    ['Resources', journal?.resources],
    ['Accounts', journal?.accounts],
    ['Supply', journal && `${journal.supply} Tokens`],
    ['Head', journal?.head],
    ['Chain', chain ? `${chain.chainId}, block ${chain.blockNumber}` : 'compared with none'],
    ['Anchored', chain && `${chain.anchored} entries, by ${chain.anchors} anchors`],
    ['Signature', sig],
  ]);
  const checkedRows = checks.map(
    ([, title, says]) => `<tr><th scope="row">${text(title)}</th><td>${text(says)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Audit ${text(id)}</title>
<style>${style}</style>
</head>
<body>
<h1>${text(verdicts[status])}</h1>
<p>Audit of a journal by its node, ${text(time(startedAt))}.</p>
<table>
${facts}
</table>
<h2>What is checked</h2>
<table>
${checkedRows.join('\n')}
</table>
<h2>The signed report</h2>
<p>Save this text as a file: <code>svc-node verify-proof FILE</code> checks the signature of the node.</p>
<pre>${text(JSON.stringify(report))}</pre>
</body>
</html>
`;
}
