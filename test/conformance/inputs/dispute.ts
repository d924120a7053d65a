import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import type { KindInputs } from '../inputs.js';
import type { Stage } from '../stage.js';

const dayMs = 86_400_000;
const base = '/api/v1/contracts';

/** An active contract of 60, disputed by its client. */
async function make({ cast, node }: Stage): Promise<Body> {
  const [client, provider] = [cast.client!, cast.provider!];
  const terms = { arbiter: cast.arbiter!.did, fallback: 'refund' };
  const drafted = await client.does(base, { provider: provider.did, terms, payment: { totalAmount: 61 } });
  const path = `${base}/${drafted.id}/actions`;
  await client.does(`${path}/sign`);
  await provider.does(`${path}/sign`);
  await client.does(`${path}/activate`, { amount: 61 });
  const { disputeId } = await client.does(`${path}/dispute`, { reason: 'quality' });
  return expectStatus(await node.client.get(`/api/v1/disputes/${disputeId}`));
}

export const inputs: KindInputs = {
  cast: ['client', 'provider', 'arbiter'],
  funds: 100_000,
  laterMs: 61 * dayMs,
  situation: ({ proposals, ruling }) =>
    ruling ? '' : JSON.stringify(Object.values(proposals as Body).map((each) => (each as Body | null)?.outcome ?? '')),
  elsewhere: ['networkArbiter', 'mayRuleNow'],
  settings: {
    'about a contract': {
      creator: 'client',
      create: () => ({}),
      make,
      attempts: {
        resolve: [
          { name: 'release', body: () => ({ resolution: 'release' }) },
          { name: 'refund', body: () => ({ resolution: 'refund' }) },
          { name: 'split', body: () => ({ resolution: 'split', clientRefund: 21, providerPayment: 40 }) },
          {
            name: 'a split of too little',
            body: () => ({ resolution: 'split', clientRefund: 20, providerPayment: 40 }),
          },
          { name: 'the fallback', body: () => ({ resolution: 'fallback' }) },
        ],
      },
    },
  },
};
