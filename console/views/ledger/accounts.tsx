/** All accounts, sorted by balance, largest first. */
import { path, withQuery } from '../../api/read.ts';
import type { Balance, Replies } from '../../api/types.ts';
import { listEveryMs, useRead } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { allAccounts } from '../../parts/account-columns.ts';
import { DidName } from '../../parts/did.tsx';
import { Export } from '../../parts/export.tsx';
import { Find } from '../../parts/find.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Pager, placeOf } from '../../parts/pager.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Badge } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';

const limit = 25;
const columns = ['Account', '#Balance', '#Available', '#Reserved', '#Escrowed', '#Events signed'];

export function Accounts({ query }: { query: URLSearchParams }) {
  const balances = useRead<Replies['listWallets']>(
    withQuery(path`/api/v1/wallets`, { limit, after: placeOf(query).after }),
    listEveryMs,
  );
  return (
    <Panel title="Accounts" aside={<Export {...allAccounts} />}>
      <div class="stack">
        <Find
          label="Open an account by its DID or address"
          placeholder="did:svc:z6Mk… or svc1…"
          to={(text) => href('ledger', ['account', text])}
        />
        <Shown reading={balances}>
          {({ wallets, pagination }) => (
            <div>
              <Table caption="Accounts, the largest first" columns={columns} exported={allAccounts.name}>
                {wallets.map((balance) => (
                  <Row key={balance.did} balance={balance} />
                ))}
              </Table>
              <Pager pagination={pagination} shown={wallets.length} what="accounts" view="ledger" query={query} />
            </div>
          )}
        </Shown>
      </div>
    </Panel>
  );
}

/** An amount; zero is shown faintly. */
const Amount = ({ value }: { value: number }) => (
  <td class={value === 0 ? 'number faint' : 'number'}>{count(value)}</td>
);

const Row = ({ balance }: { balance: Balance }) => (
  <tr>
    <td>
      <a href={href('ledger', ['account', balance.did])} title={balance.did}>
        <DidName did={balance.did} />
      </a>{' '}
      {balance.frozen && <Badge tone="warn">frozen</Badge>}
    </td>
    <Amount value={balance.balance} />
    <Amount value={balance.availableBalance} />
    <Amount value={balance.reserved} />
    <Amount value={balance.escrowed} />
    <Amount value={balance.nonce} />
  </tr>
);
