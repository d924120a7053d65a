/** docs/generated/machines: the chart of each kind, next to its page, as drawing, diagram, table and machine. */
import { undrawnChartOf } from '../../src/http/charts/chart-view.js';
import { drawnLayout } from '../../src/http/charts/drawn.js';
import type { Layouts } from '../../src/http/charts/layout.js';
import { mermaidOf } from '../../src/http/charts/mermaid.js';
import { svgOf } from '../../src/http/charts/svg.js';
import { csvOf } from '../../src/http/charts/table.js';
import { xstateOf } from '../../src/http/charts/xstate.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';

export function machineFiles(layouts: ReadonlyMap<string, Layouts>): { readonly [file: string]: string } {
  return Object.fromEntries(
    machinesOf(catalogue).flatMap((definition) => {
      const chart = undrawnChartOf(definition);
      const file = `machines/${chart.kind}`;
      return [
        [`${file}.svg`, svgOf(chart, drawnLayout(chart, layouts.get(chart.version)!.wide, 'high'))],
        [`${file}.mmd`, mermaidOf(chart)],
        [`${file}.csv`, csvOf(chart)],
        [`${file}.xstate.json`, `${JSON.stringify(xstateOf(chart), null, 2)}\n`],
      ];
    }),
  );
}
