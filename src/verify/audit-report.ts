/** The signed result of an audit, which an operator can hand out and anyone can verify (docs/auditing.md). */

import { bounds } from '../core/bounds.js';
import { canonical, type JsonObject } from '../core/canonical.js';
import { parseDid, publicKeyOf } from '../core/codecs/did.js';
import { signedMessage } from '../core/codecs/event-message.js';
import { verify } from '../core/codecs/signature-check.js';
import type { StoreReader, StoreWriter } from '../store/store.js';
import type { AuditFlaw, AuditReport } from './audit.js';

/** The chain that the journal was compared with. */
export interface ChainCompared {
  readonly chainId: number;
  readonly blockNumber: number;
  /** Operations that the chain has settled. */
  readonly settled: number;
  /** Entries covered by anchors on the chain, and the number of anchors. */
  readonly anchored: number;
  readonly anchors: number;
  /** Tokens in the vault, and how many of them belong to the ledger. */
  readonly holdings: number;
  readonly owed: number;
}

export interface AuditRun {
  readonly status: 'running' | 'sound' | 'flawed' | 'unfinished';
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** Entries checked, and entries in total. */
  readonly checked: number;
  /** The first of them that an earlier audit of the node had verified; 0 until the audit is finished. */
  readonly known: number;
  readonly total: number;
  /** Totals of the checked entries; null until the audit is finished. */
  readonly journal: Pick<AuditReport, 'resources' | 'accounts' | 'supply' | 'head' | 'erased'> | null;
  readonly flaw: AuditFlaw | null;
  /** What was not checked, or why there is no verdict. */
  readonly note: string | null;
  readonly chain: ChainCompared | null;
}

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

export interface AuditReportBody extends AuditRun {
  readonly v: 1;
  readonly type: 'audit-report';
  /** Id in the node's database, made of the start time and the node. */
  readonly id: string;
  /** DID of the node that ran the audit, whose key signs. */
  readonly node: string;
  readonly network: string;
}

export interface SignedAuditReport extends AuditReportBody {
  /** Over `svc:audit:v1:` and the RFC 8785 form without `sig` (docs/reference/journal-format.md#signatures). */
  readonly sig: string;
}

export interface ReportSigner {
  readonly did: string;
  sign(text: string): string;
}

const textOf = (body: AuditReportBody): string =>
  signedMessage('svc:audit:v1', canonical(body as unknown as JsonObject));

/** Enough digits for any time, so that ids sort by time. */
const timeDigits = 15;

export function signReport(run: AuditRun, network: string, signer: ReportSigner): SignedAuditReport {
  const id = `aud-${String(run.startedAt).padStart(timeDigits, '0')}-${signer.did.slice(-8)}`;
  const body = { ...run, v: 1, type: 'audit-report', id, node: signer.did, network } as const;
  return { ...body, sig: signer.sign(textOf(body)) };
}

/** @returns why the report is not signed by its node, in a sentence; undefined if it is */
export function violationOfReport(value: unknown): string | undefined {
  const { sig, ...body } = value as SignedAuditReport;
  if (body.v !== 1 || body.type !== 'audit-report') return 'it is not an audit report of version 1';
  if (typeof body.node !== 'string' || parseDid(body.node) !== body.node) return 'node is not a DID';
  if (typeof sig !== 'string' || !/^[A-Za-z0-9_-]{86}$/.test(sig)) return 'sig is not a signature';
  return verify(publicKeyOf(body.node), textOf(body), sig) ? undefined : `${body.node} has not signed this`;
}

export const isAuditReport = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'audit-report';
