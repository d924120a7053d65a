/** The equation of the supply, in the ledger and on chain. */

import type { Supply } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { Verdict } from '../../parts/checks.tsx';
import { Export, type ExportColumn } from '../../parts/export.tsx';
import { Facts, Panel, Table } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Badge, Code } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';

const everyMs = 10_000;

export function SupplyPanel() {
  const supply = useRead<Supply>('/api/v1/supply', everyMs);
  return <Shown reading={supply}>{(data) => <Books supply={data} />}</Shown>;
}

const terms = ['available', 'reserved', 'escrowed', 'fees'] as const;

function Books({ supply }: { supply: Supply }) {
  const sum = terms.reduce((all, name) => all + supply[name], 0);
  return (
    <div class="stack">
      <Panel
        title="Supply"
        aside={
          <span class="buttons">
            <Export name="supply" columns={figures} rows={[supply]} />
            <Holds holds={sum === supply.supply} />
          </span>
        }
      >
        <Equation supply={supply} />
        <Proportions supply={supply} />
        <AsOf supply={supply} />
      </Panel>
      {supply.chain && <Vault supply={supply} chain={supply.chain} />}
    </div>
  );
}

const figures: readonly ExportColumn<Supply>[] = [
  { name: 'network', of: ({ network }) => network },
  { name: 'entry', of: ({ seq }) => seq },
  ...terms.map((name) => ({ name, of: (supply: Supply) => supply[name] })),
  { name: 'supply', of: ({ supply }) => supply },
];

const AsOf = ({ supply: { seq, chain } }: { supply: Supply }) => (
  <p class="as-of faint">
    {seq === null ? (
      'Entries were added while the sums were read'
    ) : seq === 0 ? (
      'The journal is empty'
    ) : (
      <>
        Tokens as of entry <a href={href('ledger', ['entry', String(seq)])}>{count(seq)}</a>
      </>
    )}
    {chain && `, block ${count(chain.blockNumber)}`}.
  </p>
);

const Holds = ({ holds }: { holds: boolean }) =>
  holds ? <Badge tone="good">Balanced</Badge> : <Badge tone="bad">Not balanced</Badge>;

const Equation = ({ supply }: { supply: Supply }) => (
  <dl class="equation" aria-label="Tokens: available, reserved, escrowed and fees add up to the supply">
    {terms.map((name, index) => (
      <div key={name} class={`term term-${name}`}>
        <dt>{name}</dt>
        <dd>
          {index > 0 && (
            <span class="operator" aria-hidden="true">
              +
            </span>
          )}
          {count(supply[name])}
        </dd>
      </div>
    ))}
    <div class="term term-sum">
      <dt>supply</dt>
      <dd>
        <span class="operator" aria-hidden="true">
          =
        </span>
        {count(supply.supply)}
      </dd>
    </div>
  </dl>
);

/** The same as a bar; the numbers are above it. */
function Proportions({ supply }: { supply: Supply }) {
  if (supply.supply === 0) return null;
  let from = 0;
  return (
    <svg class="proportions" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
      {terms.map((name) => {
        const width = (supply[name] / supply.supply) * 1000;
        const x = from;
        from += width;
        return <rect key={name} class={`share share-${name}`} x={x} y={0} width={width} height={8} />;
      })}
    </svg>
  );
}

type Chain = NonNullable<Supply['chain']>;

type Comparison = readonly [what: string, here: number, name: string, there: number, holds: boolean];

const exported: readonly ExportColumn<Comparison>[] = [
  { name: 'comparison', of: ([what]) => what },
  { name: 'ledger', of: ([, here]) => here },
  { name: 'vault', of: ([, , , there]) => there },
  { name: 'agrees', of: ([, , , , holds]) => holds },
];

function Vault({ supply, chain }: { supply: Supply; chain: Chain }) {
  const needed = chain.owed + chain.waiting + chain.heldBack;
  const lines: readonly Comparison[] = [
    ['Supply equals what the vault owes', supply.supply, 'owed', chain.owed, supply.supply === chain.owed],
    ['Uncollected fees', supply.fees, 'fees', chain.fees, supply.fees === chain.fees],
    ['The vault covers what it owes', needed, 'holdings', chain.holdings, chain.holdings >= needed],
  ];
  return (
    <Panel title="Ledger against vault" aside={<Agreement supply={supply} lag={chain.lag} />}>
      <Table
        caption="Sums of the ledger and of the vault"
        columns={['Comparison', '#Ledger', '#Vault', 'Agrees']}
        exported={{ name: 'ledger and vault', columns: exported, rows: lines }}
      >
        {lines.map(([what, here, name, there, holds]) => (
          <tr key={name}>
            <td>{what}</td>
            <td class="number">{count(here)}</td>
            <td class="number">{count(there)}</td>
            <td>
              <Verdict holds={chain.lag === 0 || holds ? holds : undefined} what={what} />
            </td>
          </tr>
        ))}
      </Table>
      <Facts
        facts={[
          ['Chain', `${chain.kind}, id ${chain.chainId ?? 'unknown'}, block ${count(chain.blockNumber)}`],
          ['Vault', <Code key="vault" text={chain.vault} what="address of the vault" head={10} tail={6} />],
          ['Token', <Code key="token" text={chain.token} what="address of the token" head={10} tail={6} />],
          ['In existence', `${count(chain.tokenSupply)} on chain`],
          ['Deposits waiting', chain.waiting > 0 ? count(chain.waiting) : undefined],
          ['Withdrawals held', chain.heldBack > 0 ? count(chain.heldBack) : undefined],
        ]}
      />
    </Panel>
  );
}

function Agreement({ supply, lag }: { supply: Supply; lag: number }) {
  if (supply.balanced === null) return <Badge tone="warn">{count(lag)} operations are on their way</Badge>;
  return supply.balanced ? <Badge tone="good">they agree</Badge> : <Badge tone="bad">they do not agree</Badge>;
}
