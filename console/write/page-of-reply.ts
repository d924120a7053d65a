/** Where a write leads: to its resource, or to the remote request that another home has not answered yet. */
import type { JsonObject } from '../api/types.ts';
import { spelled } from '../format/spelling.ts';
import { href } from '../shell/route.ts';

export const isPending = ({ status, remoteRequestId }: JsonObject): boolean =>
  status === 'pending' && remoteRequestId !== undefined;

export function pageOfReply(reply: JsonObject, kind: string): string {
  const id = String(reply.id);
  if (isPending(reply)) return href('charts', ['remote-request', id]);
  return href('charts', [kind, spelled(id, typeof reply.home === 'string' ? reply.home : undefined)]);
}
