/**
 * Identities (docs/reference/identities.md#identity-documents): a document with a history, and credentials. A DID
 * without events has a default document that is computed from the DID.
 */

import { hashOf, type JsonObject } from '../../core/canonical.js';
import { addressOf } from '../../core/codecs/address.js';
import { publicKeyHexOf } from '../../core/codecs/did.js';
import type { Leaf } from '../../core/leaf.js';
import { refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { defineReducer } from '../kernel/definition.js';

export interface IdentityDocument {
  readonly displayName?: Leaf;
  readonly bio?: Leaf;
  readonly avatar?: Leaf;
  /** Of a list; absent: none. */
  readonly platformLinks?: Leaf;
}

export interface IdentityContext {
  readonly document: IdentityDocument;
  readonly capabilities: readonly Leaf[];
}

const link = is.refined(is.text(2048, 1), (value) => /^https?:\/\//.test(value) || 'must be an http(s) URL');

const documentScalar = is.object({
  displayName: is.optional(is.leaf(is.name(128)), 'Display name.'),
  bio: is.optional(is.leaf(is.text(2048)), 'The holder’s own description.'),
  avatar: is.optional(is.leaf(link), 'http(s) URL of a picture.'),
  platformLinks: is.optional(
    is.leaf(
      is.list(
        is.object({
          platform: is.described(is.name(64), 'Name of the platform.'),
          url: is.described(link, 'http(s) URL of the account there.'),
        }),
        0,
        32,
      ),
    ),
    'Accounts on other platforms.',
  ),
});

export const updateInput = is.object({
  document: is.described(documentScalar, 'The new document, which replaces the old one as a whole.'),
  prevDocHash: is.described(is.hash, '`docHash` of the document that you replace. The node refuses any other hash.'),
});
export const capabilityInput = is.object({
  credential: is.described(
    is.leaf(is.atMostBytes(is.freeObject, 16_384)),
    'A W3C Verifiable Credential of the DID about itself; without a proof the node adds one.',
  ),
});

/** The most credentials of a DID. */
export const maxCapabilities = 64;

export const emptyIdentity: IdentityContext = { document: {}, capabilities: [] };

/** The content of `docHash`: the DID document with the holder's own fields. */
export const documentOf = (did: string, document: IdentityDocument): JsonObject => ({
  did,
  publicKey: publicKeyHexOf(did),
  address: addressOf(did),
  ...(document as unknown as JsonObject),
});

export const docHashOf = (did: string, document: IdentityDocument): string => hashOf(documentOf(did, document));

/** `id` is the DID; only its holder may act. */
export const identity = defineReducer<IdentityContext>({
  kind: 'identity',
  revision: 1,
  roles: { holder: (id) => [id] },
  actions: {
    update: {
      event: 'identity.updated',
      who: ['holder'],
      input: updateInput,
      reduce(context, { id, input }: { id: string; input: is.TypeOf<typeof updateInput> }) {
        const before = context ?? emptyIdentity;
        if (input.prevDocHash !== docHashOf(id, before.document)) {
          return refuse('DID_UPDATE_CONFLICT', 'prevDocHash is not the hash of the current document');
        }
        return { ...before, document: input.document as IdentityDocument };
      },
    },
    register: {
      event: 'capability.registered',
      who: ['holder'],
      input: capabilityInput,
      reduce(context, { input }: { input: is.TypeOf<typeof capabilityInput> }) {
        const before = context ?? emptyIdentity;
        if (before.capabilities.length >= maxCapabilities) {
          return refuse('UNPROCESSABLE', `a DID carries at most ${maxCapabilities} capabilities`);
        }
        return { ...before, capabilities: [...before.capabilities, input.credential] };
      },
    },
  },
});

export const clockCorrected = 'clock.corrected';

/**
 * The node as a resource: the system keys that it has appointed (docs/reference/events-and-entries.md#system-entries).
 */
export const node = defineReducer<{ readonly system: readonly string[] }>({
  kind: 'node',
  revision: 1,
  roles: { self: (id) => [id] },
  actions: {
    appoint: {
      event: 'node.appointed',
      who: ['self'],
      input: is.object({ system: is.described(is.did, 'DID of the system key.') }),
      reduce: (context, { input }) => ({ system: [...(context?.system ?? []), input.system] }),
    },
    // The only entry after which times may be lower than before.
    'correct-clock': {
      event: clockCorrected,
      who: ['operator'],
      input: is.object({
        reason: is.described(is.text(1_000, 1), 'Why the time of earlier entries is wrong.'),
        operator: is.described(is.text(200, 1), 'Who corrects it, as the operator writes it.'),
      }),
      reduce: (context) => context ?? { system: [] },
    },
  },
});
