/** What the signer of a prepared write signs, and what would follow from it (docs/signing.md#prepare). */
import type { ToSign } from '../../actors/command.js';
import type { JsonObject } from '../../core/canonical.js';
import { type LeafText, leafText } from '../../core/leaf.js';
import { costOfMoves, partiesOf } from '../../machines/kernel/posting.js';
import type { Entry } from '../../store/entry.js';
import { storedPayloadOf } from '../../store/payload.js';
import { publishedPayload } from '../../verify/published-payload.js';

/** @param stored texts that earlier events have brought */
export function preparedView(
  { core, payloadText }: Entry,
  { signs, written, contents }: ToSign,
  stored: ReadonlyMap<string, LeafText>,
): JsonObject {
  const { event, moves } = core;
  const { hash: _, sig: __, payloadHash: ___, ...body } = event;
  const drawn = new Map(contents.map((each) => [each.hash, leafText(each.bytes)]));
  const kept = storedPayloadOf(payloadText);
  const { salt: ____, ...payload } = publishedPayload(kept, true, (hash) => drawn.get(hash) ?? stored.get(hash));
  const to = new Set(moves.flatMap((move) => partiesOf(move).map(([did]) => did)));
  to.delete(event.issuer);
  return {
    prepared: {
      event: body,
      ...payload,
      ...(kept.confidential && { salt: kept.salt }),
      ...(signs !== undefined && { signs: [{ at: '/signature', message: Buffer.from(signs).toString('hex') }] }),
    },
    outcome: {
      ...costOfMoves(event.issuer, moves),
      to: [...to],
      versions: written.map(({ kind, id, path }) => ({ kind, id, path })),
    },
  } as unknown as JsonObject;
}
