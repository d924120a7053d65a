/** The ledger: accounts, the supply, and the journal. */
import './ledger.css';
import { NotHere } from '../../parts/not-here.tsx';
import { Subviews } from '../../parts/subviews.tsx';
import { href, type Route } from '../../shell/route.ts';
import { AccountPage } from './account-page.tsx';
import { Accounts } from './accounts.tsx';
import { EntryPage } from './entry-page.tsx';
import { Journal } from './journal.tsx';
import { SupplyPanel } from './supply.tsx';

export function Ledger({ route }: { route: Route }) {
  const [part, id, more] = route.segments;
  const names = part === 'entry' || part === 'account';
  const isKnown =
    more === undefined && (names ? id !== undefined : id === undefined && (part ?? 'journal') === 'journal');
  return (
    <>
      <Subviews
        label="Parts of the ledger"
        parts={[
          { title: 'Books', address: href('ledger'), current: isKnown && (part === undefined || part === 'account') },
          {
            title: 'Journal',
            address: href('ledger', ['journal']),
            current: isKnown && (part === 'journal' || part === 'entry'),
          },
        ]}
      />
      {!isKnown ? (
        <NotHere />
      ) : part === 'entry' && id !== undefined ? (
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
