/**
 * The port of request transformers (machines/kernel/transformer.ts), implemented for one call.
 */
import { bounds } from '../../core/bounds.js';
import { assert, isRefusal, type Refusal } from '../../core/refusal.js';
import { x25519KeyOf } from '../../keys/signing.js';
import { placeText } from '../../machines/kernel/attest.js';
import type { TransformerPort } from '../../machines/kernel/transformer.js';
import type { PageRequest } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import type { Call } from '../server/route.js';
import { unknownListing } from './derived-paths.js';

export const transformerPort = (api: ApiContext, call: Call): TransformerPort => ({
  networkArbiter: api.networkArbiter,
  get place() {
    return placeText(api.network, api.home());
  },
  newId: api.newId,
  now: () => api.environment.now(),
  random: (bytes) => api.environment.random(bytes),
  signer: () => api.writes.signerOf(call) as ReturnType<TransformerPort['signer']>,
  async openKey() {
    const did = api.writes.signerOf(call);
    const signer = isRefusal(did) ? did : await api.writes.unlock(call, did)();
    if (isRefusal(signer)) return signer;
    return { did: signer.did, sign: (message) => signer.sign(message), agreementKey: () => x25519KeyOf(signer) };
  },
  resource: async (kind, id) => api.committed.resource(kind, id),
  async content(hash) {
    const content = await api.store.content(hash);
    assert(content, 'what an entry names by hash is there before the entry');
    return content;
  },
  unknownListing: (id) => unknownListing(id, call, api),
  async *labelled(kind, label, states) {
    let page: PageRequest = { limit: bounds.pageLimit, offset: 0, characters: bounds.pageCharacters };
    for (;;) {
      const asked = { kind, anyLabel: [label], ...(states ? { states } : {}), page };
      const found: Awaited<ReturnType<typeof api.store.find>> | Refusal = await api.queues.page(
        call,
        () => api.store.find(asked),
        true,
      );
      if (isRefusal(found)) return yield found;
      yield { items: found.items, hasMore: found.next !== null };
      if (found.next === null) return;
      page = { ...page, after: found.next };
    }
  },
});
