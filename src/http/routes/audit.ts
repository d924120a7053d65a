/**
 * Audits of the running node (docs/reference/node.md#audit): `svc-node audit` over HTTP, in its own thread, one at a
 * time.
 */

import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { AuditRun } from '../../verify/audit-report.js';
import type { Audits } from '../../verify/audits.js';
import type { AdminLog } from '../access/admin-log.js';
import { callerName } from '../access/caller.js';
import { auditReportSchema, auditReportsSchema, auditRunSchema, auditsSchema } from '../openapi/schemas/audit.js';
import { listReply, pageFields } from '../render/pagination.js';
import type { Route } from '../server/route.js';

const path = '/api/v1/audit';
const view = (run: AuditRun): JsonObject => ({ ...run }) as unknown as JsonObject;

export function auditRoutes(audits: Audits, log: AdminLog): Route[] {
  return [
    {
      method: 'POST',
      path,
      name: 'startAudit',
      tag: 'Audit',
      summary: 'Audit the journal in the background; CONFLICT while an audit runs.',
      scope: 'admin',
      refuses: ['CONFLICT'],
      body: is.object({
        full: is.optional(is.described(is.boolean, 'Verify also what an earlier audit of the node has verified.')),
      }),
      example: { full: true },
      success: { status: 201, schema: auditRunSchema, description: 'the running audit' },
      async handle({ caller, body: { full } }) {
        const run = await log.around(
          { act: 'audit.start', by: callerName(caller) },
          () => audits.start(full === true),
          ({ total }) => ({ entries: total }),
        );
        if (isRefusal(run)) return run;
        return { status: 201, body: view(run), headers: { Location: path } };
      },
    },
    {
      method: 'GET',
      path,
      name: 'getAudit',
      tag: 'Audit',
      summary: 'Get the progress of the running audit, and the result of the last one.',
      scope: 'read',
      success: { status: 200, schema: auditsSchema, description: 'both; null if there is none' },
      async handle() {
        const { running } = audits;
        const last = await audits.last();
        return { status: 200, body: { running: running ? view(running) : null, last: last ? view(last) : null } };
      },
    },
    {
      method: 'GET',
      path: `${path}/reports`,
      name: 'listAuditReports',
      tag: 'Audit',
      summary: 'List the reports of the newest 100 audits, newest first, each signed by the node that made it.',
      scope: 'read',
      success: { status: 200, schema: auditReportsSchema, description: 'all stored reports' },
      query: is.object(pageFields),
      async handle(call) {
        return listReply(call, {
          name: 'reports',
          all: await audits.reports.list(),
          position: ({ id }) => [id],
          view,
        });
      },
    },
    {
      method: 'GET',
      path: `${path}/reports/:id`,
      name: 'getAuditReport',
      tag: 'Audit',
      summary: 'Get one signed report; `svc-node verify-proof` checks its signature.',
      scope: 'read',
      success: { status: 200, schema: auditReportSchema, description: 'the report' },
      async handle({ params }) {
        const report = await audits.reports.get(params.id!);
        if (!report) return refuse('NOT_FOUND', `no audit report ${params.id}`);
        return { status: 200, body: view(report) };
      },
    },
  ];
}
