/** `#/charts/<kind>/<id>?step=3`: the state chart of a kind, and a resource's path through it. */
import type { MachineSummary } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { Shown } from '../../parts/reading.tsx';
import type { Route } from '../../shell/route.ts';
import { KindDefinition } from './kind-definition.tsx';
import { Picker } from './picker.tsx';
import { Resource } from './resource.tsx';
import './charts.css';
import './drawing.css';
import './timeline.css';

const firstKind = 'escrow';

export function Charts({ route }: { route: Route }) {
  const [kind = firstKind, id] = route.segments;
  const machines = useRead<{ readonly machines: readonly MachineSummary[] }>('/api/v1/machines?limit=100');
  return (
    <Shown reading={machines}>
      {({ machines: all }) => (
        <>
          <Picker machines={all.filter(({ isMachine }) => isMachine)} kind={kind} />
          {id === undefined ? (
            <KindDefinition kind={kind} substate={route.query.get('substate')} />
          ) : (
            <Resource key={`${kind}/${id}`} kind={kind} id={id} asked={route.query.get('step')} />
          )}
        </>
      )}
    </Shown>
  );
}
