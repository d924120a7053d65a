/** One account: its balances and its statement. */
import { path } from '../../api/read.ts';
import type { Balance, HomeWallet } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count, tokens } from '../../format/format.ts';
import { InLists } from '../../parts/in-lists.tsx';
import { Facts, Panel, Table } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Badge, Code, Copy, Did } from '../../parts/text.tsx';
import { StatementPanel } from './statement.tsx';

export function AccountPage({ address, query }: { address: string; query: URLSearchParams }) {
  const balance = useRead<Balance>(path`/api/v1/wallets/${address}`);
  return (
    <Shown reading={balance}>
      {(data) => (
        <>
          <AccountFacts balance={data} />
          <HomesPanel did={data.did} />
          <InLists did={data.did} />
          <StatementPanel key={data.did} did={data.did} query={query} />
        </>
      )}
    </Shown>
  );
}

const AccountFacts = ({ balance }: { balance: Balance }) => (
  <Panel title="Account" aside={balance.frozen && <Badge tone="warn">frozen</Badge>}>
    <div class="columns">
      <Facts
        facts={[
          [
            'DID',
            <span key="did" class="code">
              <Did did={balance.did} />
              <Copy text={balance.did} what="DID" />
            </span>,
          ],
          ['Address', <Code key="address" text={balance.address} what="address" head={12} tail={6} />],
          ['Events signed', count(balance.nonce)],
        ]}
      />
      <Facts
        facts={[
          ['Balance', <strong key="balance">{tokens(balance.balance)}</strong>],
          ['Available', tokens(balance.availableBalance)],
          ['Reserved', `${tokens(balance.reserved)}, for unfunded escrows`],
          ['Escrowed', `${tokens(balance.escrowed)}, in funded escrows`],
        ]}
      />
    </div>
  </Panel>
);

const columns = ['Home', '#Balance', '#Available', '#Reserved', '#Escrowed'];

/** Where else the DID has Tokens; nothing at a node without peers. */
function HomesPanel({ did }: { did: string }) {
  const found = useRead<{ readonly homes: readonly HomeWallet[]; readonly total: number }>(
    path`/api/v1/wallets/${did}/homes?limit=100`,
  );
  const { homes = [], total = 0 } = found.data ?? {};
  if (total < 2) return null;
  return (
    <Panel title="At each home">
      <Table caption="Tokens at each home" columns={columns} exported={`homes-${did.slice(-8)}`}>
        {homes.map(({ home, error, ...held }) => (
          <tr key={home}>
            <td>
              <Did did={home} />
            </td>
            {error === undefined ? (
              [held.balance, held.availableBalance, held.reserved, held.escrowed].map((amount, at) => (
                <td key={at} class="number">
                  {tokens(amount ?? 0)}
                </td>
              ))
            ) : (
              <td colSpan={4} class="warn">
                {error}
              </td>
            )}
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
