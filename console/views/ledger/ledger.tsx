/** Where the money is, what moved it, and that nothing is missing. */
import './ledger.css';
import { Subviews } from '../../parts/subviews.tsx';
import { href, type Route } from '../../shell/route.ts';
import { AccountPage } from './account-page.tsx';
import { Accounts } from './accounts.tsx';
import { EntryPage } from './entry-page.tsx';
import { Journal } from './journal.tsx';
import { SupplyPanel } from './supply.tsx';

export function Ledger({ route }: { route: Route }) {
  const [part, id] = route.segments;
  return (
    <>
      <Subviews
        label="Parts of the ledger"
        parts={[
          { title: 'Books', address: href('ledger'), current: part === undefined || part === 'account' },
          { title: 'Journal', address: href('ledger', ['journal']), current: part === 'journal' || part === 'entry' },
        ]}
      />
      {part === 'entry' && id !== undefined ? (
        <EntryPage name={id} />
      ) : part === 'account' && id !== undefined ? (
        <AccountPage key={id} address={id} query={route.query} />
      ) : part === 'journal' ? (
        <Journal query={route.query} />
      ) : (
        <>
          <SupplyPanel />
          <Accounts query={route.query} />
        </>
      )}
    </>
  );
}
