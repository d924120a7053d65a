/** Signers whose key lies elsewhere (docs/signing.md): their signatures are presented, or still to be made. */
import { canonical, sha256Hex } from '../core/canonical.js';
import { type Did, publicKeyHexOf, publicKeyOf } from '../core/codecs/did.js';
import { eventMessage } from '../core/codecs/event-message.js';
import { verify } from '../core/codecs/signature-check.js';
import { invalid, type Refusal, refuse } from '../core/refusal.js';
import type { Signer } from './signing.js';

export const noKey = refuse(
  'UNPROCESSABLE',
  'this node does not use the signer’s key for this request: send ready made what is signed or encrypted with it',
);

/** Gives the signatures that were presented, each for its own text only; an empty one for any other text. */
export class PresentedSigner implements Signer {
  /**
   * @param event the message of the presented event, and its signature, which was verified
   * @param inner the signature that the payload has beside it, if any
   */
  constructor(
    readonly did: Did,
    private readonly event: { readonly message: string; readonly sig: string },
    private readonly inner: string | undefined,
  ) {}

  sign(message: Uint8Array | string): string {
    const { event, inner } = this;
    if (message === event.message) return event.sig;
    return inner !== undefined && verify(publicKeyOf(this.did), message, inner) ? inner : '';
  }
}

interface PresentedBody {
  readonly issuer: Did;
  readonly pub: string;
  readonly hash: string;
  readonly sig: string;
}

/** Checks hash, key and signature of an event. @param inner see PresentedSigner */
export function signerOfPresented({ hash, sig, ...body }: PresentedBody, inner: unknown): Signer | Refusal {
  const text = canonical(body);
  if (sha256Hex(text) !== hash) return invalid('event.hash', 'is not the hash of the event');
  const message = eventMessage(text);
  const isKeys = publicKeyHexOf(body.issuer) === body.pub;
  if (!isKeys || !verify(publicKeyOf(body.issuer), message, sig))
    return refuse('TRANSFER_NOT_ALLOWED', 'event.sig: is not a signature by the key of its issuer');
  return new PresentedSigner(body.issuer, { message, sig }, typeof inner === 'string' ? inner : undefined);
}

/** A dry run needs no signatures. */
export const dryRunSigner = (did: Did): Signer => ({ did, sign: () => '' });
