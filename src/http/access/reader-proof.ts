/**
 * `Svc-Reader`: a statement of who reads, signed with the key of that DID for one home and a few minutes
 * (docs/reference/access.md#readers). It stands for no API key, and no write takes it for a signature.
 */
import { LRUCache } from 'lru-cache';
import { bounds } from '../../core/bounds.js';
import { canonical } from '../../core/canonical.js';
import { publicKeyOf } from '../../core/codecs/did.js';
import { signedMessage } from '../../core/codecs/event-message.js';
import { verify } from '../../core/codecs/signature-check.js';
import { isRefusal, Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';

const statement = is.object({
  ...{ did: is.did, exp: is.integer(0), home: is.did, network: is.text(64) },
  through: is.optional(is.did),
});

/** Who reads, until when: epoch ms. */
export interface ProvenReader {
  readonly did: string;
  readonly exp: number;
  /** DID of the node that alone may present it. */
  readonly through?: string | undefined;
}

export interface ProofPlace {
  readonly network: string;
  readonly home: () => string | undefined;
  readonly now: () => number;
}

const form = /^v1\.([A-Za-z0-9_-]{1,700})\.([A-Za-z0-9_-]{86})$/;

const wrong = (why: string): Refusal => refuse('UNAUTHORIZED', `Svc-Reader ${why}`);

export class ReaderProofs {
  /** Proofs whose signature was checked: a caller sends the same one with many requests. */
  readonly #checked = new LRUCache<string, ProvenReader>({ max: bounds.readerProofs });

  constructor(private readonly place: ProofPlace) {}

  /** Who reads, as a proof says. @param peer DID of the node that presents it, if another node does */
  readerOf(proof: string, peer?: string): ProvenReader | Refusal {
    const known = this.#checked.get(proof) ?? this.#check(proof);
    if (known instanceof Refusal) return known;
    const { through } = known;
    if (through !== undefined && through !== peer) return wrong(`counts for reads by the node ${through} alone`);
    const most = through === undefined ? bounds.readerProofMs : bounds.readerThroughMs;
    const now = this.place.now();
    if (known.exp <= now) return wrong(`has expired: exp is ${known.exp}, and it is ${now} here`);
    return known.exp > now + most
      ? wrong(`may expire ${most / 60_000} minutes ahead at most: exp is ${known.exp}, and it is ${now} here`)
      : known;
  }

  #check(proof: string): ProvenReader | Refusal {
    const [, encoded, signature] = form.exec(proof) ?? [];
    if (encoded === undefined) return wrong('must be v1.<statement in base64url>.<signature in base64url>');
    const text = Buffer.from(encoded, 'base64url').toString('utf8');
    const stated = is.parse(statement, jsonIn(text));
    if (isRefusal(stated) || canonical(stated) !== text)
      return wrong(
        'must state did, exp, home and network, with through for a node, and nothing else, in RFC 8785 form',
      );
    const { did, exp, home, network, through } = stated;
    if (home !== this.place.home() || network !== this.place.network)
      return wrong(`is for ${network} at ${home}: this is ${this.place.network} at ${this.place.home()}`);
    if (!verify(publicKeyOf(did), signedMessage('svc:reader:v1', text), signature))
      return wrong('is not signed by the key of its DID');
    const proven = { did, exp, through };
    this.#checked.set(proof, proven);
    return proven;
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON.parse reports malformed input only by throwing
  }
}
