/**
 * The market of information: data, documents, models, sold as often as somebody buys them (interface, Markets:
 * information).
 */
import type { JsonObject } from '../kernel/canonical.js';
import * as is from '../kernel/scalar.js';
import { open, word } from './fields.js';
import { listingOf } from './resource.js';

/** Bytes of content that a publish may bring along. */
export const inlineBytes = 750 * 1024;

const contentFields = {
  format: is.text(128, 1),
  /** Of `data`: utf8 (default), base64 or hex; of content that is elsewhere, any word. */
  encoding: is.optional(is.text(64, 1)),
  /** Encrypted before anything of it is kept. */
  data: is.optional(is.secret(is.text(2 * inlineBytes, 1))),
  size: is.optional(is.integer(0)),
  hash: is.optional(is.hash),
  preview: is.optional(is.text(10_000)),
};

export const infoListing = listingOf({
  type: 'info',
  path: '/markets/info',
  tag: 'Market: information',
  title: 'InfoListing',
  own: {
    infoType: word,
    content: is.object(contentFields),
    accessMethod: open({ type: is.optional(word) }),
    license: open({ type: is.optional(word) }),
  },
  changeable: ['license'],
  inner: ['package'],
  contents: ({ package: sealed }) => (sealed ? [String((sealed as JsonObject).ciphertextHash)] : []),
  example: {
    pricing: { price: 25 },
    infoType: 'dataset',
    content: { format: 'text/csv', size: 120_000, preview: 'station,hour,mm' },
    accessMethod: { type: 'download' },
    license: { type: 'CC-BY-4.0' },
  },
});
