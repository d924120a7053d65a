/** The kinds' definitions: charts in several formats. */

import { isRefusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { AnyDefinition, AnyResource } from '../../machines/kernel/definition.js';
import { atVersion } from '../../machines/kernel/versioning.js';
import { chartViewOf } from '../charts/chart-view.js';
import { acceptedFormat, formats, formOf, mediaTypes, xstateType } from '../charts/formats.js';
import { knownKind } from '../charts/known-kind.js';
import type { ApiContext } from '../context/api-context.js';
import { chartSchema, machinesSchema, xstateSchema } from '../openapi/schemas/machines.js';
import { listReply, pageFields } from '../render/pagination.js';
import type { Route } from '../server/route.js';
import { basePath } from './derived-paths.js';
import { continuing, type JournalReading } from './journal-place.js';
import { historyRoute, permittedRoute } from './machine-history.js';
import { resourceProofRoute } from './machine-proof.js';
import { stateRoute } from './machine-state.js';

const base = '/api/v1/machines';
const shared = { method: 'GET', tag: 'Machines', scope: 'read' } as const;

export function machineRoutes(api: ApiContext, reading: JournalReading): Route[] {
  return [
    listRoute(api),
    readRoute(api),
    continuing(historyRoute(api), reading),
    permittedRoute(api),
    stateRoute(api),
    continuing(resourceProofRoute(api), reading),
  ];
}

function listRoute(api: ApiContext): Route {
  return {
    ...shared,
    path: base,
    name: 'listMachines',
    summary: 'List the kinds of resources, each with its definition.',
    open: true,
    success: { status: 200, schema: machinesSchema, description: 'all elements' },
    query: is.object(pageFields),
    handle(call) {
      const all = Object.values(api.catalogue.definitions);
      const position = (each: AnyDefinition) => [all.indexOf(each)];
      return listReply(call, { name: 'machines', all, position, order: 'ascending', view: summaryOf });
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
    tones: Object.fromEntries(states.flatMap(({ path, tone }) => (tone ? [[path, tone]] : []))),
    actions: Object.keys((definition as AnyResource).actions),
    links: {
      self,
      formats: Object.fromEntries(drawn.map((format) => [format, `${self}?format=${format}`])),
      ...(definition.form === 'machine' ? { resources: basePath(definition) } : {}),
    },
  };
}

const chartQuery = is.object({
  format: is.optional(
    is.oneOf(...formats),
    '`xstate`: the argument of `createMachine`. Default: by `Accept`, or else JSON.',
  ),
  version: is.optional(is.text(128, 1), 'A past definition version that entries still name.'),
});

function readRoute(api: ApiContext): Route {
  return {
    ...shared,
    path: `${base}/:kind`,
    name: 'getMachine',
    summary: 'Get the definition of one kind: its state chart as JSON with a layout, or in another format.',
    open: true,
    query: chartQuery,
    success: {
      status: 200,
      schema: chartSchema,
      media: mediaTypes,
      mediaSchemas: { [xstateType]: xstateSchema },
      description: 'the chart',
    },
    handle(call) {
      const { format, version } = call.query as is.TypeOf<typeof chartQuery>;
      const definition = knownKind(api, call.params.kind!);
      if (isRefusal(definition)) return definition;
      const law = version === undefined ? definition : atVersion(definition, version);
      if (!law) return refuse('NOT_FOUND', `this node knows no definition version ${version} of ${definition.kind}`);
      return formOf(law, format ?? acceptedFormat(call.header('accept')));
    },
  };
}
