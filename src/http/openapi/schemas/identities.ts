/**
 * Capability credentials (docs/reference/identities.md).
 */
import * as a from '../../../core/schema/shape.js';
import { identitySchema as bareSchema, credentialFields, credentialSchema } from '../../../machines/identity/view.js';
import { paginationSchema } from '../../render/pagination.js';
import { writeForm } from '../../render/write-view.js';
import { withOrigin } from './origin.js';

export const identitySchema = withOrigin(bareSchema);
export const capabilitiesSchema = a.object({
  capabilities: a.described(a.list(credentialSchema), 'Capability credentials of this page.'),
  pagination: paginationSchema,
});

/** Its members are repeated at the top level. If a name collides, the member that describes the write wins. */
export const registeredSchema = a.named('RegisteredCapability', {
  ...a.object(
    {
      credential: a.described(a.nullable(credentialSchema), 'The credential as stored; null once it was redacted.'),
      resourcePrev: a.described(a.hash, "Send it as `resourcePrev` with the identity's next write."),
      ...writeForm.schema.properties,
    },
    credentialFields,
  ),
  additionalProperties: true,
  description: 'The members of the credential, the credential itself, and what every write answers.',
});
