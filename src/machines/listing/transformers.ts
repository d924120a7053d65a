/** A private listing that becomes public says again, in the event that shows it, what its earlier events have hidden. */
import type { RequestTransformer } from '../kernel/transformer.js';
import { type ListingContext, unchangedIn } from './machine.js';

export const restate: RequestTransformer = async ({ kind, id, input }, port) => {
  const context = (await port.resource(kind, id))?.context as unknown as ListingContext | undefined;
  if (context?.visibility !== 'private' || input.visibility !== 'public') return { input };
  return { input: { ...input, restated: unchangedIn(context, input) } };
};
