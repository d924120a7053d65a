/**
 * The port of request transformers (machines/kernel/transformer.ts), implemented for one call.
 */
import { bounds } from '../../core/bounds.js';
import { assert, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { x25519KeyOf } from '../../keys/signing.js';
import type { TransformerPort } from '../../machines/kernel/transformer.js';
import type { PageRequest } from '../../store/store.js';
import type { ApiContext, ForeignContents } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import type { Call } from '../server/route.js';
import { unknownListing } from './derived-paths.js';

/** A content of this node or, in the context of another home, of that home. */
export async function contentAt(
  { store, foreign, contents }: Pick<ReadContext, 'store' | 'foreign'> & Pick<ApiContext, 'contents'>,
  asked: Parameters<ForeignContents['get']>[1],
): Promise<Uint8Array | Refusal> {
  const kept = await store.content(asked.hash);
  if (kept) return kept;
  assert(foreign, 'what an entry names by hash is there before the entry');
  const says = `the content is at its home ${foreign.home}, which another process of this node asks for it`;
  return contents?.get(foreign.home, asked) ?? refuse('SERVICE_UNAVAILABLE', says, { retryAfter: 5 });
}

export const transformerPort = (api: ApiContext, call: Call): TransformerPort => ({
  // Another home adds its own arbiter when it answers.
  networkArbiter: api.foreign ? undefined : api.networkArbiter,
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
  content: (hash, of) => contentAt(api, { ...of, hash }),
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
