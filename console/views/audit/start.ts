/** Asks the node to audit itself. This changes nothing in the journal. */
import { ask } from '../../api/read.ts';

/** Throws Problem. @param key with scope `admin`; sent with this request only */
export async function startAudit(key: string): Promise<void> {
  await ask('/api/v1/audit', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
    body: '{}',
  });
}
