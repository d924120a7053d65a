/** Health, explanations of errors, and the API description (docs/reference/node.md#health). */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import { problemSchema } from './problem.js';

export const healthSchema = a.object({ status: a.described(a.constant('ok'), 'The process answers.') });

export const readinessSchema = a.object(
  {
    status: a.described(
      a.oneOf('ready', 'degraded'),
      '`ready`; or `degraded`: it serves requests, and `reasons` has the problems.',
    ),
    reasons: a.described(a.list(a.text), 'The problems, in sentences; empty if the node is ready.'),
  },
  { durability: a.described(a.text, 'What is guaranteed when a write is acknowledged.') },
);

const errorClassSchema = a.named(
  'ErrorClass',
  a.object({
    type: { type: 'string', format: 'uri', description: '`type` of the problem documents.' },
    constant: a.described(a.text, '`error.code` of the problem documents.'),
    title: a.described(a.text, 'The class in words.'),
    meaning: a.described(a.text, 'What it means.'),
    advice: a.described(a.text, 'What to do about it.'),
    codes: a.described(
      a.list(
        a.object({ code: a.described(a.text, 'The code.'), status: a.described({ type: 'integer' }, 'HTTP status.') }),
      ),
      'The codes of the class.',
    ),
  }),
);

const errorCodeSchema = a.named(
  'ErrorCode',
  a.object({
    code: a.described(a.text, 'The code.'),
    status: a.described({ type: 'integer' }, 'HTTP status.'),
    type: { type: 'string', format: 'uri', description: '`type` of its problem documents: its class.' },
    title: a.described(a.text, 'The class in words.'),
    meaning: a.described(a.text, 'What it means.'),
    advice: a.described(a.text, 'What to do about it.'),
    example: a.described(problemSchema, 'A problem document with it.'),
  }),
);

export const explanationSchema: JsonSchema = { anyOf: [errorClassSchema, errorCodeSchema] };

export const errorClassesSchema = a.object({ errors: a.described(a.list(errorClassSchema), 'All classes.') });

export const openApiSchema: JsonSchema = {
  ...a.object({
    openapi: a.described(a.constant('3.1.0'), 'Version of the format.'),
    info: a.described(a.freeObject, 'Title, version and introduction.'),
    paths: a.described(a.freeObject, 'The operations, by path and method.'),
    components: a.described(a.freeObject, 'Schemas, headers and shared replies, by name.'),
  }),
  additionalProperties: true,
  description: 'An OpenAPI 3.1 document.',
};
