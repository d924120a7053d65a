/** Filters and order of a list that the user has named: links above the list. This browser keeps them, by their address. */
import { keptNames } from '../../names/kept-names.ts';
import { NameForm } from '../../parts/name-form.tsx';
import { withoutPlace } from '../../parts/pager.tsx';
import { href } from '../../shell/route.ts';

const views = keptNames('svc-list-views', 100);

/** One address for one view, in whatever order its parameters were given. */
function addressOf(path: string, query: URLSearchParams): string {
  const given = Object.entries(withoutPlace(query)).filter(([, value]) => value !== '');
  return href('lists', [path], Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** @param path of the list */
export function NamedViews({ path, query }: { path: string; query: URLSearchParams }) {
  const all = href('lists', [path]);
  const here = addressOf(path, query);
  const named = Object.entries(views.names.value)
    .filter(([address]) => address.startsWith(`${all}?`))
    .sort(([, one], [, other]) => one.localeCompare(other));
  const keep = (name: string) => {
    const earlier = named.find(([address, other]) => other === name.trim() && address !== here);
    if (earlier) views.give(earlier[0], '');
    return earlier ? `${views.give(here, name)} It replaces the earlier view of that name.` : views.give(here, name);
  };
  return (
    <>
      {named.length > 0 && (
        <nav class="named-views" aria-label="Named views">
          <ul>
            {[[all, 'All'] as const, ...named].map(([address, name]) => (
              <li key={address}>
                <a href={address} aria-current={address === here ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {here !== all && (
        <NameForm key={here} label="Name of this view" name={views.names.value[here] ?? ''} keep={keep} />
      )}
    </>
  );
}
