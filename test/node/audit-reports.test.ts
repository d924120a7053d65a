/** Signed reports of audits: stored, listed, verified, and made at the configured interval. */
import { expect } from 'chai';
import { violationOfReport } from '../../src/verify/audit-report.js';
import { until } from '../support/until.js';
import { expectStatus } from './support/answers.js';
import type { Client } from './support/client.js';
import { TestNode } from './support/node.js';

describe('audit reports', () => {
  let node: TestNode;
  afterEach(() => node?.discard());

  const reports = async (client: Client) => expectStatus(await client.get('/api/v1/audit/reports'));

  it('are signed by the node, listed newest first, and checked without it', async () => {
    node = await TestNode.start();
    const admin = await node.keyed({ scope: 'admin' });
    for (const round of [1, 2]) {
      expectStatus(await admin.post('/api/v1/audit', {}), 201);
      await until('the report', async () => (await reports(admin)).total === round);
      const running = async () => expectStatus(await admin.get('/api/v1/audit')).running;
      await until('the audit has ended', running, { is: (seen) => seen === null });
    }
    const { reports: found } = (await reports(admin)) as { reports: Record<string, unknown>[] };
    const [newest, older] = found;
    expect(newest!.startedAt).to.be.at.least(older!.startedAt as number);
    expect(newest).to.include({ status: 'sound', type: 'audit-report', network: 'devnet' });
    expect(violationOfReport(newest)).to.equal(undefined);
    const one = expectStatus(await admin.get(`/api/v1/audit/reports/${newest!.id}`));
    expect(one).to.deep.equal(newest);
    for (const [member, value] of Object.entries({ status: 'flawed', checked: 777, node: older!.id, sig: 'x', v: 2 })) {
      expect(violationOfReport({ ...newest, [member]: value }), member).to.be.a('string');
    }
    expect((await admin.get('/api/v1/audit/reports/aud-none')).status).to.equal(404);
  });

  it('are made by themselves at the interval of the configuration', async () => {
    node = await TestNode.start({ variables: { SVC_AUDIT_EVERY_HOURS: '24' } });
    await until('the report', async () => (await reports(node.client)).total === 1);
  });
});
