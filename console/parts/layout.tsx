/** The basic layouts of all views: panels, lists of facts, tables. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { cardsWhereTight, nameCells } from './cards.ts';
import { Export, type ExportProps } from './export.tsx';

interface PanelProps {
  readonly title: string;
  /** Shown behind the title. */
  readonly mark?: ComponentChildren;
  /** Shown in the title's line, at its end. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, mark, aside, class: more = '', children }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${more}`} aria-labelledby={id}>
      <div class="panel-head">
        {mark ? (
          <span class="marked">
            <h2 id={id}>{title}</h2>
            {mark}
          </span>
        ) : (
          <h2 id={id}>{title}</h2>
        )}
        {aside}
      </div>
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values. Facts without a value are left out. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** The order of a table by one of its columns, whose head is a link to the next order. */
export interface ColumnOrder {
  readonly now: 'ascending' | 'descending' | 'none';
  readonly next: string;
}

interface TableProps<Row> {
  /** What the table holds, for screen readers. */
  readonly caption: string;
  /** Names of the columns. `#` in front marks a column of numbers. */
  readonly columns: readonly string[];
  /** By column: those by which the user can sort. */
  readonly orders?: { readonly [column: string]: ColumnOrder };
  /** The download of its rows: shown below the table; or the name of an `Export` elsewhere on the page. */
  readonly exported: ExportProps<Row> | string;
  /** Rows below the body: sums. */
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Most columns of a table that stays a table on a phone. */
const mostOnPhone = 3;

/** A table, or a list of cards where its columns do not fit. Its children are rows. */
export const Table = <Row,>({ caption, columns, orders = {}, exported, foot, children }: TableProps<Row>) => {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const table = section.current?.querySelector('table');
    if (table) nameCells(table);
  });
  useLayoutEffect(() => (section.current ? cardsWhereTight(section.current) : undefined), []);
  return (
    <>
      <section
        ref={section}
        class={columns.length > mostOnPhone && !foot ? 'table many' : 'table'}
        aria-label={caption}
        data-exported={typeof exported === 'string' ? exported : exported.name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
      >
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => {
                const name = column.replace(/^#/, '');
                const order = orders[name];
                return (
                  <th key={column} scope="col" class={column === name ? '' : 'number'} aria-sort={order?.now}>
                    {order ? <a href={order.next}>{name}</a> : name}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>{children}</tbody>
          {foot && <tfoot>{foot}</tfoot>}
        </table>
      </section>
      {typeof exported !== 'string' && (
        <p class="export-line">
          <Export {...exported} />
        </p>
      )}
    </>
  );
};
