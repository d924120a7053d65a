/** DIDs that have an account in the ledger. */

import { withQuery } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { abridged, count } from '../../format/format.ts';
import { allAccounts } from '../../parts/account-columns.ts';
import { Export } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Pager, placeOf } from '../../parts/pager.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Did } from '../../parts/text.tsx';

const limit = 25;

export function Known({ query }: { query: URLSearchParams }) {
  const { after } = placeOf(query);
  const known = useRead<Replies['listWallets']>(withQuery('/api/v1/wallets', { limit, after }));
  return (
    <Panel title="In the ledger" aside={<Export {...allAccounts} />}>
      <Shown reading={known}>
        {({ wallets, pagination }) => (
          <div>
            <Table
              caption="Identities in the ledger"
              columns={['DID', 'Address', '#Events signed', '#Balance']}
              exported={allAccounts.name}
            >
              {wallets.map(({ did, address, nonce, balance }) => (
                <tr key={did}>
                  <td>
                    <Did did={did} />
                  </td>
                  <td>
                    <code title={address}>{abridged(address, 10, 6)}</code>
                  </td>
                  <td class={nonce === 0 ? 'number faint' : 'number'}>{count(nonce)}</td>
                  <td class="number">{count(balance)}</td>
                </tr>
              ))}
            </Table>
            <Pager pagination={pagination} shown={wallets.length} what="identities" view="identities" query={query} />
          </div>
        )}
      </Shown>
    </Panel>
  );
}
