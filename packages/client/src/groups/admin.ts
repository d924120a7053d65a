/** Operations that need an admin key (docs/reference/access.md#operators). */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type {
  AdminAct,
  ApiKey,
  AuditReport,
  AuditRun,
  Balance,
  CreatedApiKey,
  Paging,
  Queries,
  Replies,
  Requests,
  SystemFields,
} from '../wire.js';
import type { WriteOptions } from '../write-options.js';
import type { Writes } from '../writes.js';

export class Admin {
  readonly apiKeys: ApiKeys;

  constructor(private readonly writes: Writes) {
    this.apiKeys = new ApiKeys(writes);
  }

  /** Freezes an account: debits of it are refused. */
  freeze(did: string, options?: WriteOptions): Promise<Balance & SystemFields> {
    return this.writes.plain(pathOf`/admin/accounts/${did}/actions/freeze`, {}, options);
  }

  unfreeze(did: string, options?: WriteOptions): Promise<Balance & SystemFields> {
    return this.writes.plain(pathOf`/admin/accounts/${did}/actions/unfreeze`, {}, options);
  }

  /** Pays collected fees to an account. */
  withdrawFees(withdrawal: Requests['withdrawFees'], options?: WriteOptions): Promise<Replies['withdrawFees']> {
    return this.writes.plain('/admin/fees/actions/withdraw', withdrawal, options);
  }

  /** The texts of an event, or of all events of a resource, that can be erased. */
  leaves(query: Queries['listLeaves'], options?: ReadOptions): Promise<Replies['listLeaves']> {
    return this.writes.http.get('/admin/leaves', query, options);
  }

  /** Erases a text for good; the journal records why and by whom. */
  redact(leaf: string, why: Requests['redactLeaf'], options?: WriteOptions): Promise<Replies['redactLeaf']> {
    return this.writes.plain(pathOf`/admin/leaves/${leaf}/actions/redact`, why, options);
  }

  /** Actions of operators, newest first. */
  log(query?: Paging, options?: ReadOptions): Paged<Replies['listAdminLog'], AdminAct> {
    return paged((asked) => this.writes.http.get('/admin/log', asked, options), { ...query }, 'acts');
  }

  /** The newest requests that the node's process has answered, newest first. */
  requests(query?: Queries['listRequests'], options?: ReadOptions): Promise<Replies['listRequests']> {
    return this.writes.http.get('/admin/requests', { ...query }, options);
  }

  /** Starts an audit of the whole journal in the background; CONFLICT while an audit is running. */
  startAudit(options?: WriteOptions): Promise<AuditRun> {
    return this.writes.plain('/audit', {}, options);
  }

  /** Progress of the running audit and result of the last one. Needs no admin key. */
  audit(options?: ReadOptions): Promise<Replies['getAudit']> {
    return this.writes.http.get('/audit', undefined, options);
  }

  /** Signed reports of earlier audits, newest first. */
  auditReports(query?: Paging, options?: ReadOptions): Paged<Replies['listAuditReports'], AuditReport> {
    return paged((asked) => this.writes.http.get('/audit/reports', asked, options), { ...query }, 'reports');
  }

  auditReport(id: string, options?: ReadOptions): Promise<Replies['getAuditReport']> {
    return this.writes.http.get(pathOf`/audit/reports/${id}`, undefined, options);
  }

  /** Keeps a DID's key unlocked, so that API keys bound to it can sign. */
  unlock(did: string, passphrase: string, options?: WriteOptions): Promise<Replies['unlockIdentity']> {
    return this.writes.plain(pathOf`/admin/identities/${did}/actions/unlock`, { passphrase }, options);
  }

  lock(did: string, options?: WriteOptions): Promise<Replies['lockIdentity']> {
    return this.writes.plain(pathOf`/admin/identities/${did}/actions/lock`, {}, options);
  }
}

export class ApiKeys {
  constructor(private readonly writes: Writes) {}

  create(key: Requests['createApiKey'], options?: WriteOptions): Promise<CreatedApiKey> {
    return this.writes.plain('/admin/api-keys', key, options);
  }

  list(query?: Queries['listApiKeys'], options?: ReadOptions): Paged<Replies['listApiKeys'], ApiKey> {
    return paged((asked) => this.writes.http.get('/admin/api-keys', asked, options), { ...query }, 'apiKeys');
  }

  get(id: string, options?: ReadOptions): Promise<ApiKey> {
    return this.writes.http.get(pathOf`/admin/api-keys/${id}`, undefined, options);
  }

  revoke(id: string, options?: WriteOptions): Promise<ApiKey> {
    return this.writes.plain(pathOf`/admin/api-keys/${id}/revoke`, {}, options);
  }

  remove(id: string, options?: ReadOptions): Promise<void> {
    return this.writes.http.send({ method: 'DELETE', path: pathOf`/admin/api-keys/${id}`, ...options });
  }
}
