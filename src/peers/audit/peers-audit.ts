/**
 * The audit of a journal together with the copies of other homes' journals (docs/auditing.md#other-homes): executes each
 * again, and proves that both ends of every remote request between two of them agree.
 */
import type { AuditFlaw, AuditReport } from '../../verify/audit.js';
import { Covers } from '../covers.js';
import { auditCopy, type CopyAuditOptions, type CopyReader, type CopyReport } from './copy-audit.js';
import { agreementOf, type TradeConflict, type TradeSummary } from './trade-agreement.js';
import { TradeFacts } from './trade-facts.js';

/** The first violation: in the own journal, in a copy, or between two journals (`trade`). */
export interface PeersFlaw extends Omit<AuditFlaw, 'check'> {
  readonly check: AuditFlaw['check'] | 'trade';
  /** DID of the home of the journal; absent: the own journal. */
  readonly home?: string;
}

export interface PeersReport extends Omit<AuditReport, 'flaw'> {
  readonly flaw?: PeersFlaw;
  /** In order of the homes' DIDs; empty if the own journal has a violation. */
  readonly peers: readonly CopyReport[];
  /** One for each home that has asked another one. */
  readonly trade: readonly TradeSummary[];
  /** What could not be compared, as there is no copy of the journal at the other end. */
  readonly uncompared: readonly UncomparedTrade[];
}

/** One end of the requests of one home to another. */
export interface UncomparedTrade {
  /** DID of the home that asks. */
  readonly from: string;
  /** DID of the home that is asked. */
  readonly to: string;
  readonly requests: number;
  readonly answers: number;
}

/** A copy on disk. */
export interface AuditedCopy {
  /** DID. */
  readonly home: string;
  open(): Promise<CopyReader & { close(): Promise<void> }>;
}

export type PeersAuditOptions = Pick<CopyAuditOptions, 'catalogue' | 'network' | 'progress'>;

/** The report on the own journal, and what it says about requests; undefined for an empty journal. */
export interface OwnAudit {
  readonly report: AuditReport;
  readonly facts: TradeFacts | undefined;
}

/** @param own of the journal as it was before the copies are read, so that they have what its entries depend on */
export async function auditPeers(
  { report, facts }: OwnAudit,
  copies: readonly AuditedCopy[],
  options: PeersAuditOptions,
): Promise<PeersReport> {
  if (report.flaw) return { ...report, peers: [], trade: [], uncompared: [] };
  const peers: CopyReport[] = [];
  const journals = facts ? [facts] : [];
  for (const copy of copies) {
    const found = await auditedCopy(copy, options);
    peers.push(found.report);
    if (found.report.ok) journals.push(found.facts);
  }
  const bad = peers.find(({ flaw }) => flaw);
  const { trade, disagreement } = compared(journals);
  const flaw = bad ? { ...bad.flaw!, home: bad.home } : disagreement && flawOf(disagreement, facts?.home);
  return {
    ...report,
    ok: flaw === undefined,
    peers,
    trade,
    uncompared: uncomparedIn(journals),
    ...(flaw ? { flaw } : {}),
  };
}

async function auditedCopy({ home, open }: AuditedCopy, options: PeersAuditOptions) {
  const facts = new TradeFacts(home);
  const copy = await open();
  try {
    const report = await auditCopy(copy, { ...options, home, saw: facts.saw });
    const covers = await Covers.open({
      head: () => copy.head(),
      entries: (query) => copy.entries(query),
      getLocal: (table, id) => copy.getLocal(table, id),
      putLocal: async () => false,
    });
    facts.covered(covers.newest?.time ?? 0);
    return { report, facts };
  } finally {
    await copy.close();
  }
}

function compared(journals: readonly TradeFacts[]): {
  trade: TradeSummary[];
  disagreement?: TradeConflict | undefined;
} {
  const trade: TradeSummary[] = [];
  let first: TradeConflict | undefined;
  for (const asking of journals) {
    for (const asked of journals) {
      if (asking === asked) continue;
      const { summary, disagreement } = agreementOf(asking, asked);
      const { accepted, refused, open, unseen } = summary;
      if (disagreement || accepted + refused + open + unseen > 0) trade.push(summary);
      first ??= disagreement;
    }
  }
  return { trade, disagreement: first };
}

/** Requests and answers whose other end is in none of these journals. */
function uncomparedIn(journals: readonly TradeFacts[]): readonly UncomparedTrade[] {
  const known = new Set(journals.map(({ home }) => home));
  const found = new Map<string, { from: string; to: string; requests: number; answers: number }>();
  const count = (from: string, to: string, end: 'requests' | 'answers') => {
    if (known.has(from) && known.has(to)) return;
    const counts = found.get(`${from} ${to}`) ?? { from, to, requests: 0, answers: 0 };
    counts[end]++;
    found.set(`${from} ${to}`, counts);
  };
  for (const journal of journals) {
    for (const { context } of journal.requests()) count(journal.home, context.home, 'requests');
    for (const { context } of journal.answers()) count(context.from, journal.home, 'answers');
  }
  return [...found.values()];
}

const flawOf = ({ home, seq, eventHash, what }: TradeConflict, own: string | undefined): PeersFlaw => ({
  ...{ seq, eventHash, check: 'trade', what },
  ...(home === own ? {} : { home }),
});
