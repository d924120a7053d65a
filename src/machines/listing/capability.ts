/**
 * The market of capabilities: services that are leased and metered (docs/reference/leases.md).
 */
import * as is from '../../core/schema/scalar.js';
import { quota } from '../lease/quota.js';
import { open, word } from './fields.js';
import { listingOf } from './resource.js';

export const capabilityListing = listingOf({
  type: 'capability',
  path: '/markets/capabilities',
  tag: 'Market: capabilities',
  title: 'CapabilityListing',
  own: {
    capabilityType: word,
    capability: open({}, 16_384),
    quota,
    access: open({ type: is.optional(word) }),
    /** The party that records a lease's usage; absent: the lessee. */
    meteredBy: is.optional(is.oneOf('lessee', 'lessor')),
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
