/** `#/lists/escrows?did=…&status=funded&sort=amount_desc`: the resources of a kind, filtered, sorted and in pages. */
import './lists.css';
import { useRef } from 'preact/hooks';
import { withQuery } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { Pagination, Replies } from '../../api/types.ts';
import { listEveryMs, useRead } from '../../api/use-read.ts';
import { withDid } from '../../names/find-did.ts';
import { namesRead } from '../../names/names.ts';
import { Export } from '../../parts/export.tsx';
import { FilterForm } from '../../parts/filter-form.tsx';
import { Panel } from '../../parts/layout.tsx';
import { NotHere } from '../../parts/not-here.tsx';
import { Pager, placeOf } from '../../parts/pager.tsx';
import { Loading, Shown } from '../../parts/reading.tsx';
import { Subviews } from '../../parts/subviews.tsx';
import { href, type Route } from '../../shell/route.ts';
import { apiQuery, columnOrders, fieldsOf } from './filters.ts';
import { describedKinds, type ListedKind, useListedKinds } from './kinds.ts';
import { NamedViews } from './named-views.tsx';
import { exportedOf, ListTable } from './table.tsx';

const limit = 25;

export function Lists({ route }: { route: Route }) {
  const added = useListedKinds();
  const listedKinds = added ?? describedKinds;
  const [path = listedKinds[0]!.path, more] = route.segments;
  const kind = more === undefined ? listedKinds.find((each) => each.path === path) : undefined;
  // The filter by party is kept when the user changes to another list.
  const did = route.query.get('did') ?? undefined;
  return (
    <>
      <Subviews
        label="Lists"
        parts={listedKinds.map((each) => ({
          title: each.title,
          address: href('lists', [each.path], { did }),
          current: each === kind,
        }))}
      />
      {kind ? <List key={kind.path} kind={kind} query={route.query} /> : added ? <NotHere /> : <Loading />}
    </>
  );
}

type ListReplyPage = Replies['listEscrows'] & { readonly pagination: Pagination };

function List({ kind, query }: { kind: ListedKind; query: URLSearchParams }) {
  const filters = apiQuery(query);
  const page = useRead<ListReplyPage>(
    withQuery(kind.url, { ...filters, limit, after: placeOf(query).after }),
    listEveryMs,
  );
  // The rows stay until those of the next filters or order have come, so that the focus stays as well.
  const last = useRef<ListReplyPage | undefined>(undefined);
  last.current = page.data ?? last.current;
  return (
    <>
      <div class="panel">
        <FilterForm
          label={`Filter ${kind.what}`}
          fields={fieldsOf(kind)}
          query={query}
          to={(given) => href('lists', [kind.path], given)}
          resolve={withDid('did')}
        />
        <NamedViews path={kind.path} query={query} />
      </div>
      <Panel
        title={kind.title}
        aside={
          <Export
            name={kind.what}
            columns={exportedOf(kind.roles)}
            rows={async () => {
              const all = await readAll<ListReplyPage, ReturnType<ListedKind['of']>[number]>(
                kind.url,
                filters,
                kind.of,
              );
              await namesRead(all.flatMap(({ parties }) => parties.map(({ did }) => did)));
              return all;
            }}
          />
        }
      >
        <Shown reading={page.loading ? { ...page, data: last.current } : page}>
          {(data) => {
            const lines = kind.of(data);
            return (
              <div aria-busy={page.loading}>
                {lines.length > 0 && (
                  <ListTable
                    lines={lines}
                    caption={`List of ${kind.what}`}
                    takenAs={kind.what}
                    orders={columnOrders(kind.path, query)}
                  />
                )}
                <Pager
                  pagination={data.pagination}
                  shown={lines.length}
                  what={kind.what}
                  view="lists"
                  segments={[kind.path]}
                  query={query}
                />
              </div>
            );
          }}
        </Shown>
      </Panel>
    </>
  );
}
