/** Panels, lists of facts, tables: the few shapes that every view is made of. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Export, type ExportProps } from './export.tsx';

interface PanelProps {
  readonly title: string;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, aside, class: more = '', children }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${more}`} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values; those without a value are left out. */
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

interface TableProps<Row> {
  /** For screen readers: what the table holds. */
  readonly caption: string;
  /** A column whose name begins with `#` holds numbers. */
  readonly columns: readonly string[];
  /** Its rows as files: written below it or, by name, by an `Export` elsewhere on the page. */
  readonly exported: ExportProps<Row> | string;
  /** Rows below a line: sums. */
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Scrolls by itself where the screen is narrow. Its children are rows. */
export const Table = <Row,>({ caption, columns, exported, foot, children }: TableProps<Row>) => (
  <>
    <section
      class="table"
      aria-label={caption}
      data-exported={typeof exported === 'string' ? exported : exported.name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" class={name.startsWith('#') ? 'number' : ''}>
                {name.replace(/^#/, '')}
              </th>
            ))}
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
