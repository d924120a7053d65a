/**
 * The problem document of every failure (RFC 9457; docs/reference/errors.md#problem-documents).
 */
import { codes } from '../../../core/refusal.js';
import * as a from '../../../core/schema/shape.js';
import { errorClasses } from '../../server/error-codes.js';

const constants = Object.values(errorClasses).map(({ constant }) => constant);

export const problemSchema = a.named('Problem', {
  description: 'RFC 9457 problem document. Match on `type` or `code`; `detail` may change.',
  ...a.object(
    {
      type: {
        type: 'string',
        format: 'uri',
        description: 'URI of the class of the error, which leads to a page about it.',
      },
      title: a.described(a.text, 'The class in words.'),
      status: { type: 'integer', description: 'HTTP status.' },
      detail: a.described(a.text, 'The problem, for people; may change.'),
      code: a.described(a.oneOf(...Object.keys(codes)), 'The problem, for programs: a stable code.'),
      error: a.described(
        a.object({
          code: a.described(a.oneOf(...constants), 'The class of the error, for programs: a stable constant.'),
          message: a.described(a.text, 'The same as `detail`.'),
        }),
        'The class of the error, beside the finer `code`.',
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
        description: 'Only with a nonce conflict: the nonce of the next signed write.',
      },
      currentPrice: a.described(a.tokens, 'Only if the price differs from the expected one: the current price.'),
      home: a.described(a.did, 'Only if the listing is another home’s: DID of that home, where to deal with it.'),
      taken: a.described(a.tokens, 'Only if the write costs more than `most`: what it would take from the signer.'),
      paid: a.described(a.tokens, 'Only if the write costs more than `most`: what the signer’s escrows would pay.'),
      eventHash: a.described(a.hash, 'The committed event.'),
      nonce: { type: 'integer', minimum: 1, description: 'The nonce of the committed event.' },
      head: a.described(a.count, 'Only if the journal has no entry as `after` names it: the number of its newest.'),
      committed: a.described(a.constant(true), 'True if the event is committed in spite of the failure.'),
    },
  ),
});
