/** What a lessee shows the lessor to be let in, encrypted for the lessor's key (docs/reference/leases.md#plans). */
import { canonical, type Json } from '../../core/canonical.js';
import { x25519PublicKey } from '../../core/codecs/x25519.js';
import { wrap } from '../../core/sealing.js';
import type { RequestTransformer } from '../kernel/transformer.js';

export const sealCredentials: RequestTransformer = async ({ input, secrets: { credentials } }, port) => {
  const listing = credentials && (await port.resource('capability-listing', String(input.listingId)));
  // An unknown listing is refused by the workflow.
  if (!listing) return { input };
  const receiver = x25519PublicKey((listing.context as { readonly seller: string }).seller);
  const credentialsEnvelope = wrap(Buffer.from(canonical(credentials)), receiver, port.random) as Json;
  return { input: { ...input, credentialsEnvelope } };
};
