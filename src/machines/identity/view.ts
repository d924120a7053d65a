/** An identity as callers see it (docs/reference/identities.md#identity-documents), and its credentials. */
import type { JsonObject } from '../../core/canonical.js';
import { addressOf } from '../../core/codecs/address.js';
import { publicKeyHexOf } from '../../core/codecs/did.js';
import { publicForm } from '../../core/schema/public-form.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { docHashOf, type IdentityContext } from './identity.js';

const proofSchema: JsonSchema = {
  ...a.object({
    type: a.described(a.constant('DataIntegrityProof'), 'Kind of the proof.'),
    cryptosuite: a.described(a.constant('eddsa-jcs-2022'), 'How the signature is computed.'),
    verificationMethod: a.described(a.text, 'The key, as `<DID>#<key>`.'),
    proofPurpose: a.described(a.constant('assertionMethod'), 'Purpose of the proof.'),
    proofValue: a.described({ type: 'string', pattern: '^z[1-9A-HJ-NP-Za-km-z]+$' }, 'Signature, multibase base58btc.'),
  }),
  additionalProperties: true,
  description: 'W3C Data Integrity proof; the node adds one if it is missing.',
};

const credentialFields: a.SchemaMembers = {
  type: a.described(a.list(a.text), 'With VerifiableCredential and CapabilityCredential.'),
  issuer: { oneOf: [a.did, { ...a.object({ id: a.did }), additionalProperties: true }], description: 'The holder.' },
  credentialSubject: { ...a.freeObject, description: 'The capability; `id`, if present, is the DID.' },
  proof: proofSchema,
};

export const credentialSchema = a.named('Capability', {
  ...a.object(credentialFields, { '@context': { description: 'The context of the credential, unchanged.' } }),
  additionalProperties: true,
  description: 'A capability credential (W3C Verifiable Credentials) as it is stored; further members are kept.',
});

export interface KnownIdentity {
  readonly did: string;
  readonly context: IdentityContext;
  /** Null if the registry has revoked it. */
  readonly controller: string | null;
  readonly keptHere: boolean;
  readonly created: number | null;
  readonly updated: number | null;
  readonly lastHash: string | null;
  readonly hidden?: string | undefined;
}

const url: JsonSchema = { type: 'string', format: 'uri' };

const form = publicForm<KnownIdentity>(
  {
    did: a.described(a.did, 'The DID.'),
    publicKey: [
      a.described({ type: 'string', pattern: '^[0-9a-f]{64}$' }, 'Ed25519 public key, hex.'),
      ({ did }) => publicKeyHexOf(did),
    ],
    address: [a.address, ({ did }) => addressOf(did)],
    controller: {
      type: ['string', 'null'],
      pattern: '^0x[0-9a-fA-F]{40}$',
      description: 'EVM address that stands for the DID on chain, checksummed hex; null where it was revoked.',
    },
    platformLinks: [
      a.erasable(
        a.described(
          a.list(
            a.object({
              platform: a.described(a.text, 'Name of the platform.'),
              url: a.described(url, 'The account there.'),
            }),
          ),
          'Accounts on other platforms.',
        ),
      ),
      ({ context }) => context.document.platformLinks ?? [],
    ],
    keptHere: a.described(
      a.flag,
      'Whether the key is in the keystore of this node now, which signs with it; else its holder signs.',
    ),
    created: a.nullable(a.time, 'Epoch milliseconds; null if neither an event nor the key shows it.'),
    updated: a.nullable(a.time, 'Epoch milliseconds.'),
    docHash: [
      a.described(a.hash, 'SHA-256 of the RFC 8785 form of the document, hex: the next `prevDocHash`.'),
      ({ did, context }) => docHashOf(did, context.document),
    ],
    resourcePrev: [a.nullable(a.hash, 'Hash of its last event; null before the first.'), ({ lastHash }) => lastHash],
    capabilities: [
      a.described(a.list(a.erasable(credentialSchema)), 'Capability credentials that it has registered.'),
      ({ context }) => context.capabilities,
    ],
  },
  {
    displayName: [
      a.erasable(a.text, 'Name that it has given itself; absent: none.'),
      ({ context }) => context.document.displayName,
    ],
    bio: [a.erasable(a.text, 'Its own description; absent if it has none.'), ({ context }) => context.document.bio],
    avatar: [a.erasable(url, 'URL of a picture; absent: none.'), ({ context }) => context.document.avatar],
    hidden: a.described(
      a.text,
      'Why the operator of this node hides name, bio, avatar and links: only the DID sees them.',
    ),
  },
);

export const identitySchema = a.named('Identity', form.schema);
export const identityView = form.view;

/** A hidden profile is shown to its DID alone. */
export function profileSeenBy(reader: string | undefined, view: JsonObject): JsonObject {
  if (view.hidden === undefined || reader === view.did) return view;
  const { displayName, bio, avatar, ...rest } = view;
  return { ...rest, platformLinks: [] };
}
