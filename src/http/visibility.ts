import type { JsonObject } from '../machines/kernel/canonical.js';
import type { AnyResource } from '../machines/kernel/resource.js';

/** Whether a reader may see the payloads of a resource's entries. @param reader DID of the caller's key */
export const isShown = ({ visibleTo, privy }: AnyResource, context: JsonObject, reader: string | undefined): boolean =>
  visibleTo?.(context as never, reader) !== false && (!privy || privy(context as never).includes(reader ?? ''));
