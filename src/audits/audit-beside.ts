/** An audit of a journal, held against what the chain says where that is known: one verdict. */
import { type AuditOptions, type AuditReport, audit } from '../actors/audit.js';
import type { ChainFacts } from '../chain/witness/chain-facts.js';
import { ChainWitness } from '../chain/witness/chain-witness.js';
import { catalogue as everyKind } from '../machines/catalogue.js';
import type { Catalogue } from '../machines/kernel/step.js';
import type { StoreReader } from '../store/store.js';
import { contradicted } from './contradicted.js';

export interface BesideOptions extends AuditOptions {
  readonly network: string;
  /** Read before the journal: what is settled meanwhile is in both. */
  readonly chain?: ChainFacts | undefined;
  readonly catalogue?: Catalogue;
}

export async function auditBeside(journal: StoreReader, options: BesideOptions): Promise<AuditReport> {
  const { network, chain, catalogue = everyKind, ...more } = options;
  const witness = chain && new ChainWitness(chain, network);
  const pause = async () => more.companion?.pause();
  const report = await audit(journal, catalogue, network, {
    ...more,
    ...(witness ? { companion: { saw: (entry) => witness.saw(entry), pause } } : {}),
  });
  const found = report.flaw ? undefined : witness?.verdict();
  return found ? contradicted(report, found) : report;
}
