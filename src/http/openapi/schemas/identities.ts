/**
 * Identities and capability credentials (docs/reference/identities.md).
 */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import { paginationSchema } from '../../render/pagination.js';
import { writeFields } from './replies.js';

const proofSchema: JsonSchema = {
  ...a.object({
    type: { const: 'DataIntegrityProof' },
    cryptosuite: { const: 'eddsa-jcs-2022' },
    verificationMethod: a.described(a.text, 'The key, as `<DID>#<key>`.'),
    proofPurpose: { const: 'assertionMethod' },
    proofValue: a.described({ type: 'string', pattern: '^z[1-9A-HJ-NP-Za-km-z]+$' }, 'Signature, multibase base58btc.'),
  }),
  additionalProperties: true,
  description: 'W3C Data Integrity proof; the node adds one where a credential came without.',
};

const credentialFields: a.SchemaMembers = {
  type: a.described(a.list(a.text), 'With VerifiableCredential and CapabilityCredential.'),
  issuer: { oneOf: [a.did, { ...a.object({ id: a.did }), additionalProperties: true }], description: 'The holder.' },
  credentialSubject: { ...a.freeObject, description: 'What the DID can do; `id`, where it has one, is the DID.' },
  proof: proofSchema,
};

const credentialSchema = a.named('Capability', {
  ...a.object(credentialFields, { '@context': { description: 'As it came.' } }),
  additionalProperties: true,
  description: 'A capability credential (W3C Verifiable Credentials) as it is stored; further members are kept.',
});

export const capabilitiesSchema = a.object({ capabilities: a.list(credentialSchema), pagination: paginationSchema });

/** Its members are also at the top level; if a name collides, the member that describes the write wins. */
export const registeredSchema = a.named('RegisteredCapability', {
  ...a.object(
    {
      credential: a.described(a.nullable(credentialSchema), 'The credential as stored; null once it was redacted.'),
      resourcePrev: a.described(a.hash, "What the identity's next write sends as `resourcePrev`."),
      ...writeFields,
    },
    credentialFields,
  ),
  additionalProperties: true,
  description: 'The members of the credential, the credential itself, and what every write answers.',
});

const url: JsonSchema = { type: 'string', format: 'uri' };

export const identitySchema = a.named(
  'Identity',
  a.object(
    {
      did: a.did,
      publicKey: a.described({ type: 'string', pattern: '^[0-9a-f]{64}$' }, 'Ed25519 public key, hex.'),
      address: a.address,
      controller: {
        type: ['string', 'null'],
        pattern: '^0x[0-9a-fA-F]{40}$',
        description: 'EVM address that stands for the DID on chain, checksummed hex; null where it was revoked.',
      },
      platformLinks: a.list(a.object({ platform: a.text, url })),
      created: a.described(a.nullable(a.time), 'Epoch milliseconds; null where neither event nor key tells.'),
      updated: a.described(a.nullable(a.time), 'Epoch milliseconds.'),
      docHash: a.described(a.hash, 'SHA-256 of the RFC 8785 form of the document, hex: the next `prevDocHash`.'),
      resourcePrev: a.described(a.nullable(a.hash), 'Hash of its last event; null before the first.'),
      capabilities: a.list(credentialSchema),
    },
    { displayName: a.text, bio: a.text, avatar: url },
  ),
);
