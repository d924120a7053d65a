/** Pages of webhooks and of their deliveries (docs/webhooks.md). */
import { deliverySchema, webhookSchema } from '../../render/webhook-view.js';
import { pageSchema } from './replies.js';

export const webhooksSchema = pageSchema('webhooks', webhookSchema);
export const deliveriesSchema = pageSchema('deliveries', deliverySchema);
