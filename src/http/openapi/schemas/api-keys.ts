/**
 * API keys (docs/reference/access.md#api-keys).
 */
import * as a from '../../../core/schema/shape.js';
import { pageOf } from './replies.js';

const limitsSchema = a.object({}, { reads: a.count, writes: a.count });

const needed: a.SchemaMembers = {
  id: a.text,
  label: a.text,
  scope: a.oneOf('read', 'write', 'admin'),
  prefix: a.described(a.text, 'The first characters of the key, by which a person tells keys apart.'),
  status: a.oneOf('active', 'revoked', 'expired'),
  createdAt: a.time,
  expiresAt: a.described(a.nullable(a.time), 'Epoch milliseconds; null: never.'),
  lastUsedAt: a.described(a.nullable(a.time), 'Epoch milliseconds, to the minute; null: not yet.'),
  limits: a.described(a.nullable(limitsSchema), 'Own quotas, requests a minute.'),
};
const optional: a.SchemaMembers = { did: a.described(a.did, 'The DID that the key reads and signs for.') };

export const apiKeySchema = a.named('ApiKey', a.object(needed, optional));

const secret = {
  type: ['string', 'null'],
  pattern: '^svck_[1-9A-HJ-NP-Za-km-z]+$',
  description: 'The key; shown this once, null in a replay.',
};
export const createdApiKeySchema = a.named('CreatedApiKey', a.object({ ...needed, key: secret }, optional));

export const apiKeysSchema = pageOf('apiKeys', apiKeySchema);
