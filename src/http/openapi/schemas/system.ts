/**
 * Health, errors explained, the API described (docs/reference/node.md#health).
 */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';

export const healthSchema = a.object({ status: a.described(a.constant('ok'), 'The process answers.') });

export const readinessSchema = a.object(
  {
    status: a.oneOf('ready', 'degraded'),
    reasons: a.described(a.list(a.text), 'What is wrong, in sentences; empty when ready.'),
  },
  { durability: a.described(a.text, 'What an acknowledged write has survived by then.') },
);

export const errorClassSchema = a.named(
  'ErrorClass',
  a.object({
    type: { type: 'string', format: 'uri', description: '`type` of the problem documents.' },
    title: a.text,
    meaning: a.text,
    advice: a.text,
    codes: a.list(a.object({ code: a.text, status: a.described({ type: 'integer' }, 'HTTP status.') })),
  }),
);

export const errorClassesSchema = a.object({ errors: a.list(errorClassSchema) });

export const openApiSchema: JsonSchema = {
  ...a.object({
    openapi: a.described(a.constant('3.1.0'), 'Version of the format.'),
    info: a.freeObject,
    paths: a.freeObject,
    components: a.freeObject,
  }),
  additionalProperties: true,
  description: 'An OpenAPI 3.1 document.',
};
