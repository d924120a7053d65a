/** Identities and capability credentials (docs/reference/identities.md). */
import * as a from '../../../core/schema/shape.js';
import { credentialSchema, identitySchema as ownIdentity } from '../../../machines/identity/view.js';
import { paginationSchema } from '../../render/pagination.js';
import { writeForm } from '../../render/write-view.js';
import { foreignMembers } from './resources.js';

const expired = a.described(a.list(a.flag), 'Of each credential, at its place, whether it or its proof has expired.');
const { properties, required, ...identity } = ownIdentity as a.ObjectSchema;

export const identitySchema = {
  ...identity,
  properties: { ...properties, expired, ...foreignMembers },
  required: [...required, 'expired'],
};

export const capabilitiesSchema = a.object(
  {
    capabilities: a.described(a.list(a.erasable(credentialSchema)), 'Capability credentials of this page.'),
    expired,
    pagination: paginationSchema,
  },
  foreignMembers,
);

export const registeredSchema = a.named('RegisteredCapability', {
  ...a.object({
    credential: a.described(a.erasable(credentialSchema), 'The credential as stored.'),
    resourcePrev: a.described(a.hash, "Send it as `resourcePrev` with the identity's next write."),
    ...writeForm.schema.properties,
  }),
  description: 'The credential, and what every write answers.',
});
