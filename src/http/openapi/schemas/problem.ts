/**
 * The problem document of every failure (RFC 9457; docs/reference/errors.md#problem-documents).
 */
import { codes } from '../../../core/refusal.js';
import * as a from '../../../core/schema/shape.js';

export const problemSchema = a.named('Problem', {
  description: 'RFC 9457 problem document. Match on `type` or `code`; `detail` may change.',
  ...a.object(
    {
      type: { type: 'string', format: 'uri', description: 'Class of the error; a page about it.' },
      title: a.described(a.text, 'The class in words.'),
      status: { type: 'integer', description: 'HTTP status.' },
      detail: a.described(a.text, 'What is wrong, for people; may change.'),
      code: a.described(a.oneOf(...Object.keys(codes)), 'What is wrong, for programs; `type` leads to its meaning.'),
      error: a.described(
        a.object({
          code: a.described(a.text, 'The same as `code`.'),
          message: a.described(a.text, 'The same as `detail`.'),
        }),
        'For clients that look for the error here.',
      ),
      requestId: a.described(a.text, 'Names the request in the log of the node.'),
    },
    {
      instance: a.described(a.text, 'Path of the request.'),
      errors: a.described(
        a.list(
          a.object({
            field: a.described(a.text, 'Path of the member: `pricing.price`.'),
            message: a.described(a.text, 'What is wrong with it.'),
          }),
        ),
        'The fields that are wrong.',
      ),
      nextNonce: {
        type: 'integer',
        minimum: 1,
        description: 'On nonce conflicts: what the next signed write carries.',
      },
      currentPrice: a.described(a.tokens, 'Where it is not the price that the caller expected: what it costs now.'),
      eventHash: a.described(a.hash, 'The committed event.'),
      nonce: { type: 'integer', minimum: 1, description: 'The nonce that it used up.' },
      committed: a.described(a.constant(true), 'True: the event is committed in spite of the failure.'),
    },
  ),
});
