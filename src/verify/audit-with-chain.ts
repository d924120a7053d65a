/** Audits a journal, compares it with the chain if one is known, and returns one verdict. */
import type { ChainFacts } from '../chain/verifier/chain-facts.js';
import { ChainVerifier } from '../chain/verifier/chain-verifier.js';
import { catalogue as everyKind } from '../machines/catalogue.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import type { StoreReader } from '../store/store.js';
import { type AuditFlaw, type AuditOptions, type AuditReport, audit, type Companion } from './audit.js';

export interface BesideOptions extends AuditOptions {
  readonly network: string;
  /** Must be read before the journal, so that everything that the chain has settled is in the journal. */
  readonly chain?: ChainFacts | undefined;
  readonly catalogue?: Catalogue;
}

export async function auditWithChain(journal: StoreReader, options: BesideOptions): Promise<AuditReport> {
  const { network, chain, catalogue = everyKind, ...more } = options;
  const verifier = chain && new ChainVerifier(chain, network);
  const pause = async () => more.companion?.pause();
  const saw: Companion['saw'] = (entry, after) => {
    more.companion?.saw(entry, after);
    verifier?.observe(entry);
  };
  const report = await audit(journal, catalogue, network, {
    ...more,
    ...(verifier ? { companion: { saw, pause } } : {}),
  });
  const found = report.flaw ? undefined : verifier?.violation();
  return found ? contradicted(report, found) : report;
}

/** Turns the report on a valid journal into one that says that it contradicts the chain. */
export const contradicted = (report: AuditReport, found: Pick<AuditFlaw, 'seq' | 'what'>): AuditReport => ({
  ...report,
  ok: false,
  flaw: { eventHash: null, check: 'settlement', ...found },
});
