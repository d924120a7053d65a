/** The log of admin acts (decisions.md, API keys: admin acts have a log of their own), for operators to read. */
import { isRefusal } from '../../machines/kernel/refusal.js';
import * as is from '../../machines/kernel/scalar.js';
import type { ApiKeys } from '../api-keys.js';
import { pageFields, pageOf, pagination, slicePage } from '../pagination.js';
import type { Route } from '../route.js';
import { adminLogSchema } from '../schemas/admin.js';

export const adminLogRoute = (keys: ApiKeys): Route => ({
  method: 'GET',
  path: '/api/v1/admin/log',
  name: 'listAdminLog',
  tag: 'Admin',
  summary: 'What operators did, newest first: keys made and revoked, accounts frozen, fees withdrawn, DIDs unlocked.',
  scope: 'admin',
  query: is.object(pageFields),
  success: { status: 200, schema: adminLogSchema, description: 'a page of acts' },
  async handle({ query }) {
    const page = pageOf(query);
    if (isRefusal(page)) return page;
    const all = await keys.adminLog.list();
    const { items, next } = slicePage(all, page);
    return { status: 200, body: { acts: items, total: all.length, pagination: pagination(page, all.length, next) } };
  },
});
