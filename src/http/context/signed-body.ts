/**
 * The fields that the bodies of all signed writes have (docs/reference/accounts-and-nonces.md#who-signs).
 */
import * as is from '../../core/schema/scalar.js';

const passphrase = is.secret(is.text(1024, 1));
/** The passphrase where the path contains the DID. */
export const passphraseOfDid = is.described(passphrase, 'Unlocks the key of the DID.');

/** Fields of every signed write's body. */
export const signerFields = {
  did: is.described(is.did, 'Who signs.'),
  passphrase: is.described(passphrase, 'Unlocks the signer’s key.'),
  home: is.optional(is.did, 'The home where the write is made: a peer’s, or by default this one.'),
  nonce: is.described(is.integer(1), 'Counts the signer’s writes at that home: `nextNonce` of its wallet there.'),
  prev: is.optional(
    is.nullable(is.hash),
    'Hash of the signer’s last event. The node refuses any other hash, and ignores null.',
  ),
  ts: is.optional(is.time, 'The signer’s statement of the time, within 10 minutes of the node’s clock.'),
  most: is.optional(is.integer(0), 'Tokens that the write may cost the signer: CONFLICT if it would take or pay more.'),
  until: is.optional(
    is.time,
    'The latest time at which the write may take effect: CONFLICT after it. The event states it.',
  ),
};

const unsigned =
  'Who signs. Default: the DID of the API key, or else the node’s own DID. The node then assigns the nonce, and a request ' +
  'with an API key needs an `Idempotency-Key`.';

const newest =
  'Hash of the resource’s last event, from its view, or of the transaction that settled that event. The node refuses the ' +
  'request if the resource has changed since.';
const eventOrTransaction = is.pattern(
  /^(0x)?[0-9a-f]{64}$/,
  '64 lower-case hexadecimal digits, after 0x those of a transaction',
);
/** The expected version, for every write of an existing resource. */
export const resourcePrev = is.described(eventOrTransaction, newest);
export const optionalResourcePrev = is.optional(is.nullable(eventOrTransaction), newest);

/** The same for routes where the signer may be left out (docs/reference/accounts-and-nonces.md#who-signs). */
export const optionalSignerFields = {
  ...signerFields,
  did: is.optional(signerFields.did, unsigned),
  passphrase: is.optional(signerFields.passphrase),
  nonce: is.optional(signerFields.nonce),
};

/**
 * The bodies of a signed write and of a request to prepare it (docs/signing.md): without passphrase, with what its signer
 * makes with the key.
 * @param adds members of the input that the node adds where it has the key
 */
export function signedBodies(body: is.Scalar<unknown>, adds: is.Fields = {}) {
  const { passphrase: _, nonce, ...fields } = body.fields ?? {};
  const optional = Object.entries({ ...(nonce && { nonce }), ...adds }).map(([name, field]) => [
    name,
    is.optional(field as is.Scalar<unknown>),
  ]);
  return {
    body,
    prepares: {
      ...body,
      ...is.object({ ...fields, ...Object.fromEntries(optional), prepare: is.boolean } as is.Fields),
    },
  };
}

export type SignedBody = is.ObjectOf<typeof optionalSignerFields> & {
  /** Answers what to sign, and writes nothing. */
  readonly prepare?: boolean;
  readonly resourcePrev?: string | null;
};
