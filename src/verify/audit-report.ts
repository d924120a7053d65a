/** The signed result of an audit, which an operator can hand out and anyone can verify (docs/auditing.md). */
import { canonical, type JsonObject } from '../core/canonical.js';
import { parseDid, publicKeyOf } from '../core/codecs/did.js';
import { signedMessage } from '../core/codecs/event-message.js';
import { verify } from '../core/codecs/signature-check.js';
import type { AuditRun } from './audit-run.js';

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
