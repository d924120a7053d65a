/** What this home and others hold at each other (docs/reference/remote-requests.md#accounts). */
import type { Peer, PeerAccount, Replies } from '../../api/types.ts';
import { type Reading, useRead } from '../../api/use-read.ts';
import { count, tokens } from '../../format/format.ts';
import { tagOf } from '../../format/spelling.ts';
import type { ExportColumn } from '../../parts/export.tsx';
import { Facts, Panel, Table } from '../../parts/layout.tsx';
import { Badge, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';
import { standingOf } from './standing.ts';

/** Less often than the connections: the node looks through the open requests of both homes. */
const everyMs = 5_000;

export const useAccounts = (): Reading<Replies['listPeerAccounts']> =>
  useRead('/api/v1/node/peers/accounts?limit=100', everyMs);

/** How much of the limit is left; undefined if there is none. */
const unusedOf = ({ mostAtRisk, atRisk }: PeerAccount): number | undefined =>
  mostAtRisk === null ? undefined : Math.max(0, mostAtRisk - atRisk);

/** Both accounts of this home and another one. */
const statementsOf = (own: string, home: string) => ({
  there: href('ledger', ['account', own], { home }),
  here: href('ledger', ['account', home]),
});

const columns = [
  'Home',
  'Journal',
  '#Held there',
  '#Held here',
  '#Sent',
  '#Received',
  '#At risk',
  '#Limit',
  '#Unused',
  '#Given up',
];

const exported: readonly ExportColumn<PeerAccount>[] = [
  { name: 'home', of: ({ did }) => did },
  { name: 'heldThere', of: ({ held }) => held },
  { name: 'heldHere', of: ({ owed }) => owed },
  { name: 'sent', of: ({ sent }) => sent },
  { name: 'received', of: ({ received }) => received },
  { name: 'atRisk', of: ({ atRisk }) => atRisk },
  { name: 'limit', of: ({ mostAtRisk }) => mostAtRisk },
  { name: 'unused', of: (account) => unusedOf(account) ?? null },
  { name: 'givenUp', of: ({ givenUp }) => givenUp },
];

interface AccountsProps {
  /** DID of this home. */
  readonly own: string;
  readonly accounts: readonly PeerAccount[];
  readonly peers: readonly Peer[];
}

export const Accounts = ({ own, accounts, peers }: AccountsProps) => (
  <Panel title="Accounts with other homes">
    <div class="stack">
      <p>
        What this home holds at another one pays for what its residents do there, and can be lost to it, as can the
        Tokens in open requests.
      </p>
      <Table
        caption="Tokens that this home and others hold at each other"
        columns={columns}
        exported={{ name: 'accounts with other homes', columns: exported, rows: accounts }}
      >
        {accounts.map((account) => (
          <Row key={account.did} own={own} account={account} peer={peers.find(({ did }) => did === account.did)} />
        ))}
      </Table>
    </div>
  </Panel>
);

function Row({ own, account, peer }: { own: string; account: PeerAccount; peer: Peer | undefined }) {
  const { did, held, owed, sent, received, atRisk, mostAtRisk, givenUp } = account;
  const statements = statementsOf(own, did);
  const standing = peer && standingOf(peer);
  const unused = unusedOf(account);
  return (
    <tr>
      <td>
        <a class="mono" href={href('peers', [did])} title={did}>
          ~{tagOf(did)}
        </a>
      </td>
      <td>{standing && <Badge tone={standing.tone}>{standing.word}</Badge>}</td>
      <td class="number">
        <a href={statements.there} aria-label={`${count(held)}, statement of this home’s account there`}>
          {count(held)}
        </a>
      </td>
      <td class="number">
        <a href={statements.here} aria-label={`${count(owed)}, statement of its account here`}>
          {count(owed)}
        </a>
      </td>
      <Amount value={sent} />
      <Amount value={received} />
      <Amount value={atRisk} />
      <td class="number">{mostAtRisk === null ? 'none' : count(mostAtRisk)}</td>
      <td class={unused === 0 ? 'number bad' : 'number'}>{unused === undefined ? '' : count(unused)}</td>
      <Amount value={givenUp} />
    </tr>
  );
}

/** An amount; zero is shown faintly. */
const Amount = ({ value }: { value: number }) => (
  <td class={value === 0 ? 'number faint' : 'number'}>{count(value)}</td>
);

/** The accounts with one home. */
export function AccountFacts({ own, account }: { own: string; account: PeerAccount }) {
  const { did, asOf, held, owed, sent, received, atRisk, mostAtRisk, answersPerSecond, givenUp } = account;
  const statements = statementsOf(own, did);
  return (
    <div class="peer-accounts">
      <h3>Accounts</h3>
      <Facts
        facts={[
          [
            'Held there',
            <span key="there">
              {tokens(held)} of this home, <a href={statements.there}>statement</a>
            </span>,
          ],
          [
            'Held here',
            <span key="here">
              {tokens(owed)} of that home, <a href={statements.here}>statement</a>
            </span>,
          ],
          ['Sent', `${tokens(sent)} in open requests to it`],
          ['Received', `${tokens(received)} in its open requests`],
          ['At risk', `${tokens(atRisk)}: held there and sent`],
          ['Limit', mostAtRisk === null ? 'none' : `${tokens(mostAtRisk)}, ${count(unusedOf(account) ?? 0)} unused`],
          ['Answers', `at most ${count(answersPerSecond)} of its requests a second`],
          ['Given up', givenUp === 0 ? undefined : `${tokens(givenUp)}, lost if it has accepted them`],
          ['As of', asOf === 0 ? 'no checkpoint yet' : <Time key="asOf" at={asOf} />],
        ]}
      />
    </div>
  );
}
