/** The credentials of a lease, decrypted for its lessor (docs/reference/leases.md#plans). */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, refuse } from '../../core/refusal.js';
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import { unwrap } from '../../core/sealing.js';
import type { ExtraRead } from '../kernel/transformer.js';
import type { LeaseContext } from './machine.js';

const form = publicForm<{ readonly leaseId: string; readonly credentials: JsonObject }>({
  leaseId: a.described(a.text, 'Id of the lease.'),
  credentials: a.described(a.freeObject, 'What the lessee gave when the lease began.'),
});

const openRead: ExtraRead = {
  path: '/markets/capabilities/leases/:leaseId/actions/open',
  name: 'openLease',
  mayRefuse: ['LEASE_NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND'],
  summary: 'Decrypt the lessee’s credentials, for a lessor whose key is in this keystore. Writes nothing.',
  schema: a.named('OpenedLease', form.schema),
  description: 'the decrypted credentials',
  opensKey: true,
  async read({ leaseId = '' }, port) {
    const found = await port.resource('lease', leaseId);
    if (!found) return refuse('LEASE_NOT_FOUND', `no lease ${leaseId} on this network`);
    const signer = await port.openKey();
    if (isRefusal(signer)) return signer;
    const { lessor, credentialsEnvelope } = found.context as unknown as LeaseContext;
    if (signer.did !== lessor) return refuse('FORBIDDEN', 'only the lessor can open the credentials');
    const opened = credentialsEnvelope && unwrap(credentialsEnvelope, signer.agreementKey());
    if (!opened) return refuse('NOT_FOUND', `lease ${leaseId} began without credentials`);
    return { body: form.view({ leaseId, credentials: JSON.parse(opened.toString()) }) };
  },
};

export const leaseReads: readonly ExtraRead[] = [openRead];
