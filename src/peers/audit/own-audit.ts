/** The audit of this node's own journal, which notes what it says about remote requests. */
import type { StoreReader } from '../../store/store.js';
import { auditWithChain, type BesideOptions } from '../../verify/audit-with-chain.js';
import type { OwnAudit } from './peers-audit.js';
import { TradeFacts } from './trade-facts.js';

export type AuditHow = Pick<BesideOptions, 'network' | 'chain' | 'progress' | 'catalogue'>;

export async function auditOwn(journal: StoreReader, how: AuditHow): Promise<OwnAudit> {
  let facts: TradeFacts | undefined;
  const report = await auditWithChain(journal, {
    ...how,
    companion: {
      saw(entry, after) {
        facts ??= new TradeFacts(after.home!);
        facts.saw(entry, after);
      },
      pause: async () => {},
    },
  });
  return { report, facts };
}
