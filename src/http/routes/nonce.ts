/**
 * `GET /api/v1/nonce/{did}` (docs/reference/identities.md#evm-addresses): the one reply in the `data`/`links` wrapper.
 */
import { derivedController, parseEvmAddress } from '../../chain/contracts/controller.js';
import type { ChainAccess } from '../../chain/follower/chain-follower.js';
import type { JsonObject } from '../../core/canonical.js';
import { parseAccount } from '../../core/codecs/address.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { ApiContext } from '../context/api-context.js';
import { nonceSchema } from '../openapi/schemas/chain.js';
import { fromChain } from '../render/chain-answer.js';
import type { Reply, Route } from '../server/route.js';

/**
 * Replaces the 503 of a chain that does not answer, because this endpoint has none
 * (docs/reference/errors.md#errors-after-the-commit).
 */
const unanswered = ({ detail }: Refusal): Refusal => refuse('INTERNAL_ERROR', detail);

export function nonceRoute(api: ApiContext): Route {
  const { settlement, onChain } = api;

  async function ofDid(did: string): Promise<Reply | Refusal> {
    const registration = onChain ? await fromChain(onChain.registration(did)) : undefined;
    if (isRefusal(registration)) return unanswered(registration);
    if (registration?.registered && registration.controller === null) {
      return refuse('NOT_FOUND', `the registry has revoked the controller of ${did}`);
    }
    const address = registration?.controller ?? (await derivedController(did));
    const nonce = await transactionsOf(address, onChain);
    if (isRefusal(nonce)) return unanswered(nonce);
    const account = await api.committed.account(did);
    return reply({
      did,
      address,
      nonce,
      nextNonce: account.nonce + 1,
      settlementNonce: await settledNonce(did, account.nonce),
      registered: registration?.registered ?? false,
    });
  }

  async function ofAddress(text: string): Promise<Reply | Refusal> {
    const address = await parseEvmAddress(text);
    if (address === undefined) return invalid('address', 'must be a DID, or an address whose checksum fits');
    const nonce = await transactionsOf(address, onChain);
    return isRefusal(nonce) ? unanswered(nonce) : reply({ address, nonce });
  }

  /** The settled nonce: that before the oldest event that still waits for the chain. */
  async function settledNonce(did: string, newest: number): Promise<number> {
    const after = settlement.settledEntry();
    const [waiting] = await api.store.entries({ issuer: did, after, limit: 1 });
    return waiting ? waiting.core.event.nonce - 1 : newest;
  }

  return {
    method: 'GET',
    path: '/api/v1/nonce/:did',
    name: 'getNonce',
    tag: 'Wallets',
    summary: 'Get the number of transactions that an EVM address, or the address of a DID, has sent on chain.',
    scope: 'read',
    refuses: ['NOT_FOUND'],
    parameters: {
      did: { type: 'string', pattern: '^((did:svc:z|svc1)[1-9A-HJ-NP-Za-km-z]+|0x[0-9A-Fa-f]{40})$' },
    },
    success: { status: 200, schema: nonceSchema, description: 'the count' },
    handle({ params }) {
      const text = params.did!;
      const did = text.length < 128 ? parseAccount(text) : undefined;
      if (did !== undefined) return ofDid(did);
      if (!text.startsWith('did:')) return ofAddress(text);
      return refuse('DID_INVALID', 'did: is not a valid DID', {
        errors: [{ field: 'did', message: 'is not a valid DID' }],
      });
    },
  };
}

/** Without a chain, an address has sent no transactions. */
const transactionsOf = async (address: string, onChain: ChainAccess | undefined): Promise<number | Refusal> =>
  onChain ? fromChain(onChain.transactionCount(address)) : 0;

const reply = (data: JsonObject): Reply => ({
  status: 200,
  body: { data, links: { self: `/api/v1/nonce/${encodeURIComponent(String(data.did ?? data.address))}` } },
});
