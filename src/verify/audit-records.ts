/** Stores the signed reports of the newest audits. */
import { bounds } from '../core/bounds.js';
import type { JsonObject } from '../core/canonical.js';
import type { StoreReader, StoreWriter } from '../store/store.js';
import type { SignedAuditReport } from './audit-report.js';

const table = 'audit-reports';

type LocalStore = Pick<StoreReader, 'getLocal' | 'listLocal'> & Pick<StoreWriter, 'putLocal' | 'deleteLocal'>;

export class AuditRecords {
  constructor(private readonly store: LocalStore) {}

  /** Newest first. */
  async list(): Promise<readonly SignedAuditReport[]> {
    const records = await this.store.listLocal(table);
    const reports = records.map(({ value }) => value as unknown as SignedAuditReport);
    return reports.sort((one, other) => (one.id < other.id ? 1 : -1));
  }

  async get(id: string): Promise<SignedAuditReport | undefined> {
    const record = await this.store.getLocal(table, id);
    return record && (record.value as unknown as SignedAuditReport);
  }

  /** Adds a report, and deletes the oldest beyond the bound. */
  async keep(report: SignedAuditReport): Promise<void> {
    await this.store.putLocal(table, report.id, report as unknown as JsonObject, 0);
    for (const { id } of (await this.list()).slice(bounds.auditReports)) await this.store.deleteLocal(table, id);
  }
}
