/**
 * The market of information: data, documents, models, sold any number of times
 * (docs/reference/markets.md#information-orders).
 */
import type { JsonObject } from '../../core/canonical.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { open, word } from '../listing/fields.js';
import { listingOf } from '../listing/resource.js';
import { deliverWithinMs } from './machine.js';
import { publishContent } from './publish-content.js';
import { contentPackage, inlineBytes } from './sealed.js';

const contentFields = {
  format: is.described(is.text(128, 1), 'Media type: `text/csv`.'),
  /** The encoding of `data`: utf8 (default), base64 or hex; for content stored elsewhere, any word. */
  encoding: is.optional(
    is.text(64, 1),
    'Encoding of `data`: utf8 (default), base64 or hex. For content that is stored elsewhere, any word.',
  ),
  /** Encrypted before it is stored. */
  data: is.optional(
    is.secret(is.text(2 * inlineBytes, 1)),
    'The content. The node stores it encrypted, and never shows it unencrypted.',
  ),
  size: is.optional(is.integer(0), 'Bytes of the content.'),
  hash: is.optional(
    is.hash,
    'Given: SHA-256 of the content. Shown where `data` came along: salted with what its key derives.',
  ),
  preview: is.optional(is.leaf(is.text(10_000)), 'A public sample.'),
};

const market = listingOf({
  type: 'info',
  path: '/markets/info',
  tag: 'Market: information',
  title: 'InfoListing',
  own: {
    infoType: is.described(word, 'Type of information, a word of your choice.'),
    content: is.described(is.textAs(is.object(contentFields), 'data'), 'The content for sale.'),
    accessMethod: is.described(
      open({ type: is.optional(word, 'Method of access, a word of your choice.') }),
      'How a buyer gets the content, in members of your choice.',
    ),
    minDeliveryMs: is.optional(
      is.integer(0, deliverWithinMs),
      'The least time to deliver that a purchase must leave you, in milliseconds; default an hour, at most 7 days.',
    ),
    license: is.described(
      open({ type: is.optional(word, 'Name of the licence.') }),
      'What a buyer may do with the content, in members of your choice.',
    ),
  },
  aliases: { contentFormat: 'content.format' },
  changeable: ['license', 'minDeliveryMs'],
  transform: publishContent,
  once: { contentKeyHex: a.described(a.text, 'Key of the encrypted content, 32 bytes in hex: keep it.') },
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

/** Not a member of the market: that is part of what the versions of the kind are hashed with. */
export const infoListing: typeof market = {
  ...market,
  create: { ...market.create, adds: { package: is.optional(contentPackage) } },
};
