/** Resources of a kind, newest first, filtered by substate. Only for kinds whose API can filter by substate. */
import { withQuery } from '../../api/read.ts';
import type { ChartState, JsonObject, Replies } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { amountsIn } from '../../format/outcome.ts';
import { stateText, substateLabel } from '../../format/states.ts';
import { Panel } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { ResourceLink, State, Time } from '../../parts/text.tsx';
import { useTones } from '../../parts/use-tones.ts';
import { href, settle } from '../../shell/route.ts';

const shown = 20;

type ResourcePage = Partial<Replies['listEscrows'] & Replies['listContracts']>;

/** The members that a row shows. */
interface ResourceRow {
  readonly id: string;
  readonly state?: string;
  readonly updatedAt: number;
  readonly status?: string;
  readonly substate?: string | null;
}

const lists = {
  escrow: {
    url: '/api/v1/escrows',
    of: ({ escrows = [] }: ResourcePage): readonly ResourceRow[] => escrows,
  },
  contract: {
    url: '/api/v1/contracts',
    of: ({ contracts = [] }: ResourcePage): readonly ResourceRow[] => contracts,
  },
} as const;

const pathOf = ({ state = '', status = state, substate }: ResourceRow): string =>
  substate ? `${status}.${substate}` : status;

export const hasResourceList = (kind: string): boolean => kind in lists;

interface ResourceListProps {
  readonly kind: string;
  readonly states: readonly ChartState[];
  /** The chosen substate; null: all. */
  readonly substate: string | null;
}

export function ResourceList({ kind, states, substate }: ResourceListProps) {
  const list = hasResourceList(kind) ? lists[kind as keyof typeof lists] : undefined;
  const page = useRead<ResourcePage>(list && withQuery(list.url, { limit: shown, ...(substate ? { substate } : {}) }));
  const toneOf = useTones();
  if (!list) return null;
  const choose = (event: Event) => {
    const { value } = event.currentTarget as HTMLSelectElement;
    settle(href('charts', [kind], value === '' ? {} : { substate: value }));
  };
  return (
    <Panel
      title="Newest"
      aside={
        <label>
          Substate{' '}
          <select value={substate ?? ''} onChange={choose}>
            <option value="">Any</option>
            {states.filter(isNested).map(({ name, path }) => (
              <option key={path} value={name}>
                {stateText(path)}
              </option>
            ))}
          </select>
        </label>
      }
    >
      <Shown reading={page}>
        {(data) => (
          <ul class="lately" aria-label="Newest">
            {list.of(data).map((row) => (
              <li key={row.id}>
                <ResourceLink kind={kind} id={row.id} />
                <span>
                  <State
                    path={pathOf(row)}
                    tone={toneOf(kind, pathOf(row))}
                    amounts={amountsIn(row as unknown as JsonObject)}
                  />
                </span>
                <Time at={row.updatedAt} short />
              </li>
            ))}
            {list.of(data).length === 0 && <li class="faint">none</li>}
          </ul>
        )}
      </Shown>
    </Panel>
  );
}

const isNested = ({ path }: ChartState): boolean => substateLabel(path) !== undefined;
