/** `#/charts/<kind>/<id>?step=3`: the state chart of a kind, and a resource's path through it. */
import { useMachines } from '../../api/use-machines.ts';
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
  const machines = useMachines();
  return (
    <Shown reading={machines}>
      {({ machines: all }) =>
        id === undefined ? (
          <>
            <Picker machines={all.filter(({ isMachine }) => isMachine)} kind={kind} />
            <KindDefinition kind={kind} substate={route.query.get('substate')} />
          </>
        ) : (
          <Resource key={`${kind}/${id}`} kind={kind} id={id} asked={route.query.get('step')} />
        )
      }
    </Shown>
  );
}
