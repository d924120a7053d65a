/** Postings as debit and credit: a negative posting is the account's debit, a positive one its credit. */
import type { Posting } from '../api/types.ts';
import { count } from '../format/format.ts';
import { href } from '../shell/route.ts';
import { DidName } from './did.tsx';
import type { ExportColumn } from './export.tsx';
import { Table } from './layout.tsx';
import { Badge } from './text.tsx';

const systemAccounts: { readonly [account: string]: string } = {
  supply: 'Supply of the network',
  fees: 'Fees of the node',
};

/** Splits `available/<did>` into the balance and its owner. */
function Account({ name }: { name: string }) {
  const slash = name.indexOf('/');
  if (slash < 0) return <>{systemAccounts[name] ?? name}</>;
  const did = name.slice(slash + 1);
  return (
    <>
      <span class="purse">{name.slice(0, slash)}</span>{' '}
      <a href={href('ledger', ['account', did])} title={did}>
        <DidName did={did} />
      </a>
    </>
  );
}

const exported: readonly ExportColumn<Posting>[] = [
  { name: 'account', of: ([account]) => account },
  { name: 'debit', of: ([, delta]) => (delta < 0 ? -delta : null) },
  { name: 'credit', of: ([, delta]) => (delta > 0 ? delta : null) },
];

/** @param of part of the name of the downloads: `entry 12` */
export function DoubleEntry({ postings, of }: { postings: readonly Posting[]; of: string }) {
  if (postings.length === 0) return <p class="faint">It moved no Tokens.</p>;
  const { debit, credit } = sumsOf(postings);
  return (
    <Table
      caption="Postings"
      columns={['Account', '#Debit', '#Credit']}
      exported={{ name: `postings of ${of}`, columns: exported, rows: postings }}
      foot={
        <tr>
          <th scope="row">Sum</th>
          <td class="number">{count(debit)}</td>
          <td class="number">{count(credit)}</td>
        </tr>
      }
    >
      {postings.map(([name, delta], index) => (
        <tr key={`${index} ${name}`}>
          <td>
            <Account name={name} />
          </td>
          <td class="number">{delta < 0 ? count(-delta) : ''}</td>
          <td class="number">{delta > 0 ? count(delta) : ''}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Whether debit and credit are equal; nothing for an entry without postings. */
export function Balanced({ postings }: { postings: readonly Posting[] }) {
  if (postings.length === 0) return null;
  const { debit, credit } = sumsOf(postings);
  if (debit === credit) return <Badge tone="good">Balanced</Badge>;
  return <Badge tone="bad">{`Not balanced: ${count(credit - debit)}`}</Badge>;
}

const sumsOf = (postings: readonly Posting[]) => ({
  debit: postings.reduce((sum, [, delta]) => sum + Math.max(0, -delta), 0),
  credit: postings.reduce((sum, [, delta]) => sum + Math.max(0, delta), 0),
});
