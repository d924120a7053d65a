/** Identities and their capability credentials (docs/reference/identities.md). */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type {
  ApiKey,
  Capability,
  CreatedApiKey,
  Identity,
  Paging,
  Queries,
  RegisteredCapability,
  Registration,
  Replies,
  Requests,
  WriteFields,
} from '../wire.js';
import type { WriteOptions } from '../write-options.js';
import type { Writes } from '../writes.js';

type Credential = Requests['registerCapability']['credential'];

export class Identities {
  constructor(private readonly writes: Writes) {}

  /** Creates a key in the node's keystore. Local to the node: the journal gets no entry. */
  create(passphrase: string, options?: WriteOptions): Promise<Identity> {
    return this.writes.plain('/identities', { passphrase }, options);
  }

  /** @param query `source: 'log'` recomputes the identity from the journal */
  get(did: string, query?: Queries['getIdentity'], options?: ReadOptions): Promise<Identity> {
    return this.writes.http.get(pathOf`/identities/${did}`, { ...query }, options);
  }

  /** The identity of the node itself. */
  self(options?: ReadOptions): Promise<Identity> {
    return this.writes.http.get('/identities/self', undefined, options);
  }

  /** The names that these DIDs have given themselves, and their roles in the node. */
  names(dids: readonly string[], options?: ReadOptions): Promise<Replies['listNames']> {
    return this.writes.http.get('/names', { dids: dids.join() }, options);
  }

  update(did: string, update: Requests['updateIdentity'], options?: WriteOptions): Promise<Identity & WriteFields> {
    return this.writes.signed(pathOf`/identities/${did}/actions/update`, update, options);
  }

  capabilities(did: string, query?: Paging, options?: ReadOptions): Paged<Replies['listCapabilities'], Capability> {
    const path = pathOf`/identities/${did}/capabilities`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'capabilities');
  }

  /** @param credential if it has no `proof`, the node adds one with the signer's key */
  registerCapability(did: string, credential: Credential, options?: WriteOptions): Promise<RegisteredCapability> {
    return this.writes.signed(pathOf`/identities/${did}/capabilities`, { credential }, options);
  }

  /**
   * Registers the DID's controller (derived from its own key) in the registry on chain, unless the DID is registered.
   */
  registerController(did: string, passphrase: string, options?: WriteOptions): Promise<Registration> {
    return this.writes.plain(pathOf`/identities/${did}/actions/register-controller`, { passphrase }, options);
  }

  /** Creates an API key bound to the DID. The caller must be able to unlock the DID. */
  createApiKey(did: string, key: Requests['createOwnApiKey'], options?: WriteOptions): Promise<CreatedApiKey> {
    return this.writes.plain(pathOf`/identities/${did}/api-keys`, key, options);
  }

  /** The API keys bound to the DID. The caller must use one of them, or be an operator. */
  apiKeys(did: string, query?: Paging, options?: ReadOptions): Paged<Replies['listOwnApiKeys'], ApiKey> {
    const path = pathOf`/identities/${did}/api-keys`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'apiKeys');
  }

  apiKey(did: string, id: string, options?: ReadOptions): Promise<ApiKey> {
    return this.writes.http.get(pathOf`/identities/${did}/api-keys/${id}`, undefined, options);
  }

  revokeApiKey(did: string, id: string, options?: WriteOptions): Promise<ApiKey> {
    return this.writes.plain(pathOf`/identities/${did}/api-keys/${id}/revoke`, {}, options);
  }
}
