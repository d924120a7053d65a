/** Pages of webhooks and of their deliveries (docs/webhooks.md). */
import { deliverySchema, webhookSchema } from '../../render/webhook-view.js';
import { pageOf } from './replies.js';

export const webhooksSchema = pageOf('webhooks', webhookSchema);
export const deliveriesSchema = pageOf('deliveries', deliverySchema);
