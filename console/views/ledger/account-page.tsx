/** One account: what it has, and every move that made it so. */
import { path, withQuery } from '../../api/read.ts';
import type { Balance, Replies, Transaction } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count, signed, tokens, words } from '../../format/format.ts';
import { Facts, Panel, Table } from '../../parts/layout.tsx';
import { Pager, placeOf } from '../../parts/pager.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Badge, Code, Did, ResourceLink, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';

const limit = 25;

export function AccountPage({ address, query }: { address: string; query: URLSearchParams }) {
  const url = path`/api/v1/wallets/${address}`;
  const balance = useRead<Balance>(url);
  const history = useRead<Replies['listTransactions']>(
    withQuery(`${url}/transactions`, { limit, after: placeOf(query).after }),
  );
  return (
    <>
      <Shown reading={balance}>{(data) => <AccountFacts balance={data} />}</Shown>
      {balance.problem ? null : (
        <Panel title="Transactions">
          <Shown reading={history}>
            {({ transactions, pagination }) => (
              <div>
                <Table
                  caption="Transactions, newest first"
                  columns={['#Entry', 'Time', 'Move', 'From', 'To', '#Amount', '#Fee', 'Status']}
                >
                  {transactions.map((line) => (
                    <Row key={`${line.seq} ${line.op} ${line.type}`} line={line} own={balance.data?.did} />
                  ))}
                </Table>
                <Pager
                  pagination={pagination}
                  shown={transactions.length}
                  what="moves"
                  view="ledger"
                  segments={['account', address]}
                  query={query}
                />
              </div>
            )}
          </Shown>
        </Panel>
      )}
    </>
  );
}

const AccountFacts = ({ balance }: { balance: Balance }) => (
  <Panel title="Account" aside={balance.frozen && <Badge tone="warn">frozen</Badge>}>
    <div class="columns">
      <Facts
        facts={[
          ['DID', <Did key="did" did={balance.did} />],
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

/** A DID, the id of an escrow, the house’s fees, or an address on chain. */
function End({ of }: { of: string | null }) {
  if (of === null) return <span class="faint">the supply</span>;
  if (of.startsWith('did:')) return <Did did={of} />;
  if (of.startsWith('0x') || of === 'fees') return <code>{of}</code>;
  return <ResourceLink kind="escrow" id={of} />;
}

function Row({ line, own }: { line: Transaction; own: string | undefined }) {
  const sign = line.type === 'sent' ? -1 : line.type === 'received' ? 1 : 0;
  return (
    <tr>
      <td class="number">
        <a href={href('ledger', ['entry', line.eventHash])}>{count(line.seq)}</a>
      </td>
      <td>
        <Time at={line.timestamp} />
      </td>
      <td>{words(line.op)}</td>
      <td>{line.from === own ? <span class="faint">this account</span> : <End of={line.from} />}</td>
      <td>{line.to === own ? <span class="faint">this account</span> : <End of={line.to} />}</td>
      <td class="number">{sign === 0 ? count(line.amount) : signed(sign * line.amount)}</td>
      <td class={line.fee === 0 ? 'number faint' : 'number'}>{count(line.fee)}</td>
      <td>{line.status === 'pending' ? <Badge tone="warn">pending</Badge> : <span class="faint">confirmed</span>}</td>
    </tr>
  );
}
