/** Lists operators' actions (docs/reference/access.md#operators). */
import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { ApiKeyRegistry } from '../access/api-keys.js';
import { adminLogSchema } from '../openapi/schemas/admin.js';
import { pageFields, pageOf, pagination, slicePage } from '../render/pagination.js';
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
    const page = pageOf(call);
    if (isRefusal(page)) return page;
    const all = await keys.adminLog.list();
    const { items, next } = slicePage(all, page, ({ id }) => [id]);
    return { status: 200, body: { acts: items, total: all.length, pagination: pagination(page, all.length, next) } };
  },
});
