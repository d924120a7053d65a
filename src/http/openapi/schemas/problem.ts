/**
 * The problem document of every failure (RFC 9457; docs/reference/errors.md#problem-documents).
 */
import { codes } from '../../../core/refusal.js';
import * as a from '../../../core/schema/shape.js';

export const problemSchema = a.named('Problem', {
  description: 'RFC 9457 problem document. Match on `type` or `code`; `detail` may change.',
  ...a.object(
    {
      type: { type: 'string', format: 'uri' },
      title: a.text,
      status: { type: 'integer' },
      detail: a.text,
      code: a.oneOf(...Object.keys(codes)),
      requestId: a.text,
    },
    {
      instance: a.described(a.text, 'Path of the request.'),
      errors: a.described(a.list(a.object({ field: a.text, message: a.text })), 'The fields that are wrong.'),
      nextNonce: {
        type: 'integer',
        minimum: 1,
        description: 'On nonce conflicts: what the next signed write carries.',
      },
      currentPrice: a.described(a.tokens, 'Where it is not the price that the caller expected: what it costs now.'),
      eventHash: a.hash,
      nonce: { type: 'integer', minimum: 1 },
      committed: a.described(a.constant(true), 'True: the event stands in spite of the failure.'),
    },
  ),
});
