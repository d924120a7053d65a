/** Lists operators' actions (docs/reference/access.md#operators). */
import * as is from '../../core/schema/scalar.js';
import type { ApiKeyRegistry } from '../access/api-keys.js';
import { adminLogSchema } from '../openapi/schemas/admin.js';
import { listReply, pageFields } from '../render/pagination.js';
import type { Route } from '../server/route.js';

export const adminLogRoute = (keys: ApiKeyRegistry): Route => ({
  method: 'GET',
  path: '/api/v1/admin/log',
  name: 'listAdminLog',
  tag: 'Admin',
  summary:
    'List what operators did, newest first: keys created and revoked, accounts frozen, fees withdrawn, DIDs unlocked.',
  scope: 'admin',
  query: is.object(pageFields),
  success: { status: 200, schema: adminLogSchema, description: 'a page of the admin log' },
  async handle(call) {
    return listReply(call, { name: 'acts', all: await keys.adminLog.list(), position: ({ id }) => [id] });
  },
});
