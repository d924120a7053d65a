/** Pages of API keys (docs/reference/access.md#api-keys). */
import { apiKeySchema } from '../../render/api-key-view.js';
import { pageOf } from './replies.js';

export const apiKeysSchema = pageOf('apiKeys', apiKeySchema);
