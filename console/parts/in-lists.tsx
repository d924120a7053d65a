/** Links to the lists, of one party or of all. */
import { useMoreLists } from '../api/use-more-lists.ts';
import { href } from '../shell/route.ts';
import { DidName } from './did.tsx';
import { Panel } from './layout.tsx';

const lists = [
  ['escrows', 'escrows', {}],
  ['escrows', 'funded escrows', { status: 'funded' }],
  ['contracts', 'contracts', {}],
  ['orders', 'orders', {}],
  ['leases', 'leases', {}],
  ['disputes', 'disputes', {}],
  ['disputes', 'open disputes', { status: 'open' }],
  ['bids', 'bids', {}],
] as const;

export function InLists({ did }: { did?: string }) {
  const more = useMoreLists();
  return (
    <Panel title={did === undefined ? 'Lists' : 'Takes part in'} class="in-lists" aside={did && <DidName did={did} />}>
      <ul>
        {lists.map(([path, title, filters]) => (
          <li key={title}>
            <a href={href('lists', [path], { did, ...filters })}>{title}</a>
          </li>
        ))}
        {more?.map(({ kind, title }) => (
          <li key={kind}>
            <a href={href('lists', [kind], { did })}>{title.toLowerCase()}</a>
          </li>
        ))}
        {did !== undefined && (
          <li>
            <a href={href('ledger', ['journal'], { issuer: did })}>signed entries</a>
          </li>
        )}
      </ul>
    </Panel>
  );
}
