/** Postings as bookkeepers write them: what leaves an account is its debit, what comes in its credit. */
import type { Posting } from '../../api/types.ts';
import { abridgedDid, count } from '../../format/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { Badge } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';

const house: { readonly [account: string]: string } = {
  supply: 'Supply of the network',
  fees: 'Fees of the house',
};

function Account({ name }: { name: string }) {
  const slash = name.indexOf('/');
  if (slash < 0) return <>{house[name] ?? name}</>;
  const did = name.slice(slash + 1);
  return (
    <>
      <span class="balance-kind">{name.slice(0, slash)}</span>{' '}
      <a class="mono" href={href('ledger', ['account', did])} title={did}>
        {abridgedDid(did)}
      </a>
    </>
  );
}

export function DoubleEntry({ postings }: { postings: readonly Posting[] }) {
  const debit = postings.reduce((sum, [, delta]) => sum + Math.max(0, -delta), 0);
  const credit = postings.reduce((sum, [, delta]) => sum + Math.max(0, delta), 0);
  const isZero = debit === credit;
  if (postings.length === 0) {
    return (
      <Panel title="Double entry">
        <p class="faint">It moved no Tokens.</p>
      </Panel>
    );
  }
  return (
    <Panel
      title="Double entry"
      aside={<Badge tone={isZero ? 'good' : 'bad'}>{`they sum to ${count(credit - debit)}`}</Badge>}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="table" aria-label="Postings" tabIndex={0}>
        <table class="double-entry">
          <caption class="unseen">Postings as double entry</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" class="number">
                Debit
              </th>
              <th scope="col" class="number">
                Credit
              </th>
            </tr>
          </thead>
          <tbody>
            {postings.map(([name, delta], index) => (
              <tr key={`${index} ${name}`}>
                <td>
                  <Account name={name} />
                </td>
                <td class="number">{delta < 0 ? count(-delta) : ''}</td>
                <td class="number">{delta > 0 ? count(delta) : ''}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Sum</th>
              <td class="number">{count(debit)}</td>
              <td class="number">{count(credit)}</td>
            </tr>
          </tfoot>
        </table>
      </section>
    </Panel>
  );
}
