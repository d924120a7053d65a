/**
 * The market of information: data, documents, models, sold any number of times
 * (docs/reference/markets.md#information-orders).
 */
import type { JsonObject } from '../../core/canonical.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { open, word } from './fields.js';
import { inlineBytes, publishContent } from './publish-content.js';
import { listingOf } from './resource.js';

const contentFields = {
  format: is.text(128, 1),
  /** The encoding of `data`: utf8 (default), base64 or hex; for content stored elsewhere, any word. */
  encoding: is.optional(is.text(64, 1)),
  /** Encrypted before it is stored. */
  data: is.optional(is.secret(is.text(2 * inlineBytes, 1))),
  size: is.optional(is.integer(0)),
  hash: is.optional(
    is.described(
      is.hash,
      'Given: SHA-256 of the content. Shown where `data` came along: salted with what its key derives.',
    ),
  ),
  preview: is.optional(is.text(10_000)),
};

export const infoListing = listingOf({
  type: 'info',
  path: '/markets/info',
  tag: 'Market: information',
  title: 'InfoListing',
  own: {
    infoType: word,
    content: is.textAs(is.object(contentFields), 'data'),
    accessMethod: open({ type: is.optional(word) }),
    license: open({ type: is.optional(word) }),
  },
  aliases: { contentFormat: 'content.format' },
  changeable: ['license'],
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
