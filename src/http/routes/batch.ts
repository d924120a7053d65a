/** Many signed writes in one request (docs/reference/requests.md#batches), each by itself. */
import { bounds } from '../../core/bounds.js';
import { invalid } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import type { ApiContext } from '../context/api-context.js';
import type { Route } from '../server/route.js';

const item = is.object({
  path: is.described(is.text(2_048, 1), 'The path that the write alone would be posted to: `/api/v1/transfers`.'),
  idempotencyKey: is.optional(is.text(255, 1), 'Its `Idempotency-Key`.'),
  body: is.described(is.freeObject, 'Its body.'),
});

const body = is.object({
  items: is.described(is.list(item, 1, bounds.batchItems), 'Signed writes, and signed events for `/api/v1/events`.'),
});

const answerSchema = a.object(
  {
    status: a.described(a.count, 'The HTTP status that the write alone would have had.'),
    body: a.described(a.freeObject, 'Its reply, or the problem document.'),
  },
  {
    headers: a.described(
      a.object(
        {},
        {
          Location: a.described(a.text, 'Path of the new resource.'),
          'Idempotent-Replayed': a.described(a.text, '`true` if its `idempotencyKey` was known.'),
          'Retry-After': a.described(a.text, 'Seconds to wait.'),
        },
      ),
      'Those that only this answer has.',
    ),
  },
);

export function batchRoute(api: ApiContext): Route {
  return {
    method: 'POST',
    path: '/api/v1/batch',
    name: 'batch',
    tag: 'Events',
    summary:
      'Send up to 100 signed writes at once. Each succeeds or fails by itself; those of one signer in their order.',
    scope: 'write',
    body,
    example: {
      items: [
        {
          path: '/api/v1/transfers',
          idempotencyKey: 'rent-june',
          body: { to: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH', amount: 5 },
        },
      ],
    },
    success: {
      status: 200,
      schema: a.object({ items: a.described(a.list(answerSchema), 'The answers, in the places of the writes.') }),
      description: 'an answer for each write, whether it was accepted or refused',
    },
    async handle(call) {
      if (call.header('idempotency-key') !== undefined)
        return invalid('Idempotency-Key', 'belongs to a write: state it as idempotencyKey of the item');
      const { items } = call.body as unknown as is.TypeOf<typeof body>;
      const own = call.caller.did ?? api.nodeDid;
      /** Of each signer: whether its last item so far was refused, once it has its place. */
      const placed = new Map<string, Promise<boolean>>();
      const unplaced = new Set<Promise<unknown>>();
      const answers: Promise<string>[] = [];
      for (const [index, { path, idempotencyKey, body }] of items.entries()) {
        if (unplaced.size >= bounds.batchItemsAtOnce) await Promise.race(unplaced);
        const signer = call.namedSigner!({ path, body }) ?? own;
        const before = placed.get(signer);
        let onPlaced: (isRefused: boolean) => void = () => {};
        const isPlaced = new Promise<boolean>((resolve) => {
          onPlaced = resolve;
        });
        placed.set(signer, isPlaced);
        unplaced.add(isPlaced);
        isPlaced.then(() => unplaced.delete(isPlaced));
        const perform = async () =>
          call.perform!({ index, path, idempotencyKey, body, onPlaced, mayWait: !(await before) });
        answers.push(perform());
      }
      return { status: 200, text: `{"items":[${(await Promise.all(answers)).join(',')}]}` };
    },
  };
}
