/** The refusal of a resource that does not exist, or that its caller may not know of. */
import { type Refusal, refuse } from '../../core/refusal.js';
import type { AnyResource } from './resource.js';

/** What callers call it: they know orders and listings, and not the kinds of these. */
const wordFor = ({ kind, trade, search }: AnyResource): string => (trade?.order ? 'order' : search ? 'listing' : kind);

export const unknownResource = (definition: AnyResource, id: string): Refusal =>
  refuse(definition.refusals.unknown, `no ${wordFor(definition)} ${id} on this network`);
