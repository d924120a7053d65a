/** The configuration that the node has started with, and where each value comes from. */
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { Export, type ExportColumn } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Badge } from '../../parts/text.tsx';
import { WithKey } from './with-key.tsx';

type Configured = NonNullable<Replies['getNodeConfig']['variables']>[number];

const columns: readonly ExportColumn<Configured>[] = [
  { name: 'name', of: ({ name }) => name },
  { name: 'value', of: ({ value }) => value },
  { name: 'from', of: ({ from }) => from },
];

/** What an operator has set comes first. */
const setFirst = (variables: readonly Configured[]) =>
  [...variables].sort((one, other) => Number(one.from === 'default') - Number(other.from === 'default'));

export function Configuration() {
  const config = useAdminRead<Replies['getNodeConfig']>('/api/v1/node/config');
  return (
    <Panel
      title="Configuration"
      aside={config.data && <Export name="configuration" columns={columns} rows={config.data.variables ?? []} />}
    >
      <WithKey reading={config}>
        {({ variables = [] }) =>
          variables.length === 0 ? (
            <p>
              Only keys with scope <code>admin</code> can see where each setting comes from.
            </p>
          ) : (
            <>
              <Table caption="List of variables" columns={['Variable', 'Value', 'From']} exported="configuration">
                {setFirst(variables).map(({ name, value, from }) => (
                  <tr key={name}>
                    <td>
                      <code>{name}</code>
                    </td>
                    <td class="plain-text">{value ?? <span class="faint">none</span>}</td>
                    <td>{from === 'default' ? <span class="faint">default</span> : <Badge>{from}</Badge>}</td>
                  </tr>
                ))}
              </Table>
              <p class="faint">
                Changes need a restart. <a href="/guide/generated.configuration">What each variable means</a>
              </p>
            </>
          )
        }
      </WithKey>
    </Panel>
  );
}
