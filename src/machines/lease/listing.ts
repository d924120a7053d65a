/**
 * The market of capabilities: services that are leased and metered (docs/reference/leases.md).
 */
import * as is from '../../core/schema/scalar.js';
import { open, word } from '../listing/fields.js';
import { listingOf } from '../listing/resource.js';
import { quota } from './quota.js';

export const capabilityListing = listingOf({
  type: 'capability',
  path: '/markets/capabilities',
  tag: 'Market: capabilities',
  title: 'CapabilityListing',
  own: {
    capabilityType: is.described(word, 'Type of capability, a word of your choice.'),
    capability: is.described(is.leaf(open({}, 16_384)), 'What the capability can do, in members of your choice.'),
    quota: is.described(quota, 'The usage limit of each lease.'),
    access: is.described(
      open({ type: is.optional(word, 'Method of access, a word of your choice.') }),
      'How to call the capability, in members of your choice.',
    ),
    /** The party that records a lease's usage; absent: the lessee. */
    meteredBy: is.optional(is.oneOf('lessee', 'lessor'), 'Who records the calls of a lease; default: the lessee.'),
  },
  changeable: ['capability', 'quota', 'access'],
  example: {
    title: 'Speech to text',
    description: 'Thirty languages, a second of latency.',
    category: 'speech',
    tags: ['audio'],
    pricing: { usagePrice: { unit: 'call', pricePerUnit: 2 } },
    capabilityType: 'transcription',
    capability: { languages: 30 },
    quota: {},
    access: { type: 'endpoint' },
  },
});
