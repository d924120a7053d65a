/** The audits of this node, and their signed reports to download: as JSON, and as a printable page. */
import { path, read } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import type { Reading } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { save } from '../../parts/save.ts';
import { Badge, Did, Time } from '../../parts/text.tsx';
import { type AuditReport, reportPage } from './report-page.ts';

const tones = { sound: 'good', flawed: 'bad', unfinished: 'warn', running: 'plain' } as const;

export function Reports({ reading }: { reading: Reading<Replies['listAuditReports']> }) {
  const { data } = reading;
  return (
    <Panel
      title="All audits"
      aside={data?.reports.length ? <Export name="audits" columns={exported} rows={data.reports} /> : undefined}
    >
      <Shown reading={reading}>
        {({ reports }) =>
          reports.length === 0 ? (
            <p class="faint">No audit has been run on this node yet. The node signs a report of each.</p>
          ) : (
            <Table
              caption="All audits, newest first"
              columns={['Started', 'Result', '#Entries', 'Node', 'Signed report']}
              exported="audits"
            >
              {reports.map((report) => (
                <Row key={report.id} report={report} />
              ))}
            </Table>
          )
        }
      </Shown>
    </Panel>
  );
}

const exported: readonly ExportColumn<AuditReport>[] = [
  { name: 'id', of: ({ id }) => id },
  { name: 'started', of: ({ startedAt }) => isoTime(startedAt) },
  { name: 'finished', of: ({ finishedAt }) => isoTime(finishedAt) },
  { name: 'result', of: ({ status }) => status },
  { name: 'entries', of: ({ checked }) => checked },
  { name: 'head', of: ({ journal }) => journal?.head },
  { name: 'problem', of: ({ flaw }) => flaw?.what },
  { name: 'node', of: ({ node }) => node },
  { name: 'signature', of: ({ sig }) => sig },
];

function Row({ report: { id, startedAt, status, checked, node, flaw } }: { report: AuditReport }) {
  const take = async (format: 'JSON' | 'page') => {
    const report = await read<AuditReport>(path`/api/v1/audit/reports/${id}`);
    if (format === 'JSON') save(`${id}.json`, 'application/json', `${JSON.stringify(report)}\n`);
    else save(`${id}.html`, 'text/html', reportPage(report));
  };
  return (
    <tr>
      <td>
        <Time at={startedAt} />
      </td>
      <td>
        <Badge tone={tones[status]}>{status}</Badge> {flaw && <span class="plain-text">{flaw.what}</span>}
      </td>
      <td class="number">{count(checked)}</td>
      <td>
        <Did did={node} />
      </td>
      <td class="buttons">
        <button
          type="button"
          class="small"
          onClick={() => void take('JSON')}
          aria-label={`Download report ${id} as JSON`}
        >
          JSON
        </button>
        <button
          type="button"
          class="small"
          onClick={() => void take('page')}
          aria-label={`Download report ${id} to print`}
        >
          To print
        </button>
      </td>
    </tr>
  );
}
