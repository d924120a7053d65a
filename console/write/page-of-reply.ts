/** Where a write leads: to the page of its resource. */
import type { JsonObject } from '../api/types.ts';
import { href } from '../shell/route.ts';

export const pageOfReply = ({ id }: JsonObject, kind: string): string => href('charts', [kind, String(id)]);
