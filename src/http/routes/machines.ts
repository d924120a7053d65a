/** The kinds' laws, for whoever wants to see them: charts in many forms (issue of the machines shown). */

import { underLaw } from '../../machines/kernel/lineage.js';
import { isRefusal, refuse } from '../../machines/kernel/refusal.js';
import type { AnyDefinition, AnyResource } from '../../machines/kernel/resource.js';
import * as is from '../../machines/kernel/scalar.js';
import type { Desk } from '../desk.js';
import { chartViewOf } from '../machines/chart-view.js';
import { acceptedFormat, type Format, formats, formOf, mediaTypes } from '../machines/formats.js';
import { knownKind } from '../machines/known-kind.js';
import type { Route } from '../route.js';
import { chartSchema, machinesSchema } from '../schemas/machines.js';
import { historyRoute, permittedRoute } from './machine-history.js';
import { stateRoute } from './machine-state.js';

const base = '/api/v1/machines';
const shared = { method: 'GET', tag: 'Machines', scope: 'read' } as const;

export function machineRoutes(desk: Desk): Route[] {
  return [listRoute(desk), readRoute(desk), historyRoute(desk), permittedRoute(desk), stateRoute(desk)];
}

function listRoute(desk: Desk): Route {
  return {
    ...shared,
    path: base,
    name: 'listMachines',
    summary: 'The kinds of resource that the node knows, and the law of each.',
    open: true,
    success: { status: 200, schema: machinesSchema, description: 'all of them' },
    handle: () => {
      const machines = Object.values(desk.options.actors.options.catalogue.definitions).map(summaryOf);
      return { status: 200, body: { machines, total: machines.length } };
    },
  };
}

function summaryOf(definition: AnyDefinition) {
  const { kind, title, version, isMachine, states } = chartViewOf(definition);
  const self = `${base}/${kind}`;
  const drawn = formats.filter((format) => isMachine || format !== 'svg');
  return {
    kind,
    title,
    version,
    isMachine,
    states: states.filter(({ type, parent }) => type !== 'machine' && parent === undefined).map(({ name }) => name),
    actions: Object.keys((definition as AnyResource).actions),
    links: { self, formats: Object.fromEntries(drawn.map((format) => [format, `${self}?format=${format}`])) },
  };
}

interface ChartQuery {
  readonly format?: Format;
  readonly version?: string;
}

function readRoute(desk: Desk): Route {
  return {
    ...shared,
    path: `${base}/:kind`,
    name: 'getMachine',
    summary: 'The law of one kind: its state chart as JSON with a drawing’s layout, or in another format.',
    open: true,
    query: is.object({
      format: is.optional(
        is.described(
          is.oneOf(...formats),
          '`xstate`: what `createMachine` takes. Without it `Accept` decides, else JSON.',
        ),
      ),
      version: is.optional(is.described(is.text(128, 1), 'A law of the past that entries still name.')),
    }),
    success: { status: 200, schema: chartSchema, media: mediaTypes, description: 'the chart' },
    handle(call) {
      const { format, version } = call.query as ChartQuery;
      const definition = knownKind(desk, call.params.kind!);
      if (isRefusal(definition)) return definition;
      const law = version === undefined ? definition : underLaw(definition, version);
      if (!law) return refuse('NOT_FOUND', `this node knows no law ${version} of ${definition.kind}`);
      return formOf(law, format ?? acceptedFormat(call.header('accept')));
    },
  };
}
