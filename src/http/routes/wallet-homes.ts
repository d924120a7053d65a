/** Where a DID has Tokens: this home, and those that this node follows (docs/reference/other-homes.md#where-tokens-lie). */

import { isRefusal } from '../../core/refusal.js';
import { publicForm } from '../../core/schema/public-form.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { balanceView } from '../../machines/account/view.js';
import type { ApiContext } from '../context/api-context.js';
import { pageSchema } from '../openapi/schemas/replies.js';
import { pageFields, pageOf, pagination, slicePage } from '../render/pagination.js';
import type { Route } from '../server/route.js';
import { walletOf } from './wallets.js';

const whole = is.object({
  balance: is.integer(0),
  availableBalance: is.integer(0),
  reserved: is.integer(0),
  escrowed: is.integer(0),
  nonce: is.integer(0),
});

interface HomeWallet extends Partial<is.TypeOf<typeof whole>> {
  readonly home: string;
  readonly waiting?: number | undefined;
  readonly asOf?: number;
  readonly error?: string;
}

const form = publicForm<HomeWallet>(
  { home: a.described(a.did, 'DID of the home.') },
  {
    balance: a.described(a.tokens, 'Tokens: `availableBalance` + `reserved` + `escrowed`.'),
    availableBalance: a.described(a.tokens, 'Tokens that the DID can spend there now.'),
    reserved: a.described(a.tokens, 'Tokens that unfunded escrows hold.'),
    escrowed: a.described(a.tokens, 'Tokens that funded escrows hold.'),
    waiting: a.described(
      a.tokens,
      'Tokens that it has sent this node there, to be paid onward, and that are neither paid nor given back.',
    ),
    asOf: a.described(a.time, 'Only of another home: when it said so; epoch milliseconds.'),
    error: a.described(a.text, 'Why it has said nothing that can be shown; only with `home`.'),
  },
);

export function walletHomesRoute(api: ApiContext): Route {
  async function walletAt(home: string, did: string, signal: AbortSignal): Promise<HomeWallet> {
    if (home === api.home()) return { ...balanceView(await api.committed.account(did)), home };
    const view = await api.elsewhere!.ask(home, `/wallets/${did}`, signal);
    if (isRefusal(view)) return { home, error: view.detail };
    const { balance, availableBalance, reserved, escrowed, nonce } = view.body;
    const found = is.parse(whole, { balance, availableBalance, reserved, escrowed, nonce });
    return isRefusal(found)
      ? { home, error: `the home ${home} has sent what cannot be shown` }
      : { ...found, home, asOf: api.environment.now() };
  }
  return {
    method: 'GET',
    path: '/api/v1/wallets/:address/homes',
    name: 'listHomeWallets',
    tag: 'Wallets',
    summary: 'List what a DID has at this home, and at those that this node follows.',
    scope: 'read',
    query: is.object(pageFields),
    success: {
      status: 200,
      schema: pageSchema('homes', a.named('HomeWallet', form.schema)),
      description: 'the homes of the page that know the DID, and those that do not answer',
    },
    async handle(call) {
      const did = walletOf(call.params.address!);
      if (isRefusal(did)) return did;
      const page = pageOf(call);
      if (isRefusal(page)) return page;
      const all = api.cards.homes;
      const { items, next } = slicePage(all, page, (home) => [home === api.home() ? 0 : 1, home], 'ascending');
      const found = await Promise.all(items.map((home) => walletAt(home, did, call.signal)));
      const waiting = await api.onward?.waiting(did);
      const homes = found
        .filter(({ balance, nonce }) => balance !== 0 || nonce !== 0)
        .map((each) => form.view({ ...each, waiting: waiting?.get(each.home) }));
      return { status: 200, body: { homes, total: all.length, pagination: pagination(page, all.length, next) } };
    },
  };
}
