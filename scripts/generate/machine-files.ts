/** docs/generated/machines: beside each kind's page its chart, as drawing, diagram, table and machine. */
import { lawView } from '../../src/http/machines/chart-view.js';
import type { Layout } from '../../src/http/machines/layout.js';
import { mermaidOf } from '../../src/http/machines/mermaid.js';
import { svgOf } from '../../src/http/machines/svg.js';
import { csvOf } from '../../src/http/machines/table.js';
import { xstateOf } from '../../src/http/machines/xstate.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';

export function machineFiles(layouts: ReadonlyMap<string, Layout>): { readonly [file: string]: string } {
  return Object.fromEntries(
    machinesOf(catalogue).flatMap((definition) => {
      const law = lawView(definition);
      const file = `machines/${law.kind}`;
      return [
        [`${file}.svg`, svgOf(law, layouts.get(law.version)!)],
        [`${file}.mmd`, mermaidOf(law)],
        [`${file}.csv`, csvOf(law)],
        [`${file}.xstate.json`, `${JSON.stringify(xstateOf(law), null, 2)}\n`],
      ];
    }),
  );
}
