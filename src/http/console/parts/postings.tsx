/** The postings of an entry as double entry: what was taken on the left, what was added on the right. */
import type { Posting } from '../api/types.ts';
import { abridgedDid, count } from '../format/format.ts';
import { Table } from './layout.tsx';

export function Postings({ postings }: { postings: readonly Posting[] }) {
  if (postings.length === 0) return <p class="faint small">It moved no Tokens.</p>;
  const total = postings.reduce((sum, [, delta]) => sum + Math.max(0, delta), 0);
  return (
    <Table caption="Postings" columns={['Account', '#Taken', '#Added']}>
      {postings.map(([account, delta], index) => (
        <tr key={index}>
          <th scope="row">
            <AccountName account={account} />
          </th>
          <td class="number">{delta < 0 ? count(-delta) : ''}</td>
          <td class="number">{delta > 0 ? count(delta) : ''}</td>
        </tr>
      ))}
      <tr class="sum">
        <th scope="row">Sum</th>
        <td class="number">{count(total)}</td>
        <td class="number">{count(total)}</td>
      </tr>
    </Table>
  );
}

/** `available/<did>`: which purse of whom. */
function AccountName({ account }: { account: string }) {
  const [purse = '', owner] = account.split(/\/(.*)/s);
  return (
    <>
      {purse}
      {owner !== undefined && (
        <>
          {' '}
          <code class="faint" title={owner}>
            {abridgedDid(owner)}
          </code>
        </>
      )}
    </>
  );
}
