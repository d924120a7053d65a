/** An API key as callers see it (docs/reference/access.md#api-keys). */
import { type FieldTable, publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { ApiKey } from '../access/api-keys.js';

interface ApiKeyWithSecret extends ApiKey {
  /** The key itself; null in a replay, because it is not stored. */
  readonly key: string | null;
}

const always = {
  id: a.described(a.text, 'Id of the key, which is not the key itself.'),
  label: a.described(a.text, 'The creator’s description of the key; may be empty.'),
  scope: a.described(
    a.oneOf('read', 'write', 'admin'),
    'What the key may do: `admin` includes `write`, which includes `read`.',
  ),
  prefix: a.described(a.text, 'The first characters of the key, by which you can recognise it.'),
  status: a.described(a.oneOf('active', 'revoked', 'expired'), '`active`; `revoked`, permanently; or `expired`.'),
  createdAt: a.described(a.time, 'When it was created; epoch milliseconds.'),
  expiresAt: a.nullable(a.time, 'Epoch milliseconds; null if never.'),
  expiresSoon: a.described(a.flag, 'Whether it is active, and expires within 14 days.'),
  lastUsedAt: a.nullable(a.time, 'Epoch milliseconds, to the minute; null if not yet used.'),
  limits: a.nullable(
    a.object(
      {},
      { reads: a.described(a.count, 'Reads per minute.'), writes: a.described(a.count, 'Writes per minute.') },
    ),
    'Quotas of this key, in requests per minute.',
  ),
} satisfies FieldTable<ApiKey, unknown>;

const optional = {
  did: a.described(a.did, 'The DID for which the key reads and signs.'),
} satisfies FieldTable<ApiKey, unknown>;

const form = publicForm<ApiKey>(always, optional);
const createdForm = publicForm<ApiKeyWithSecret>(
  {
    ...always,
    key: {
      type: ['string', 'null'],
      pattern: '^svck_[1-9A-HJ-NP-Za-km-z]+$',
      description: 'The key; shown only once, null in a replay.',
    },
  },
  optional,
);

export const apiKeySchema = a.named('ApiKey', form.schema);
export const apiKeyView = form.view;
export const createdApiKeySchema = a.named('CreatedApiKey', createdForm.schema);
export const createdApiKeyView = createdForm.view;
