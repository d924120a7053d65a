/** Pages of API keys (docs/reference/access.md#api-keys). */
import { apiKeySchema } from '../../render/api-key-view.js';
import { pageSchema } from './replies.js';

export const apiKeysSchema = pageSchema('apiKeys', apiKeySchema);
