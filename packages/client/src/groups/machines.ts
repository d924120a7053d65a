/** The definitions of the kinds, and the steps that each resource has taken. */

import { pathOf, type ReadOptions } from '../http.js';
import { numbered } from '../pages.js';
import type { MachineChart, MachineState, MachineStep, Queries, Replies } from '../wire.js';
import type { Writes } from '../writes.js';

export class Machines {
  constructor(private readonly writes: Writes) {}

  list(options?: ReadOptions): Promise<Replies['listMachines']> {
    return this.writes.http.get('/machines', undefined, options);
  }

  /** The chart of a kind; of an older definition version where `version` names one. */
  get(kind: string, query?: Pick<Queries['getMachine'], 'version'>, options?: ReadOptions): Promise<MachineChart> {
    return this.writes.http.get(pathOf`/machines/${kind}`, { ...query }, options);
  }

  /** The same in another form, as text: one of the `formats` that the list links to. */
  export(kind: string, format: string, options?: ReadOptions): Promise<string> {
    const path = pathOf`/api/v1/machines/${kind}`;
    return this.writes.http.send({ method: 'GET', path, query: { format }, beside: 'text', ...options });
  }

  /** A page of the steps that a resource took, oldest first. */
  history(
    kind: string,
    id: string,
    query?: Queries['getMachineHistory'],
    options?: ReadOptions,
  ): Promise<Replies['getMachineHistory']> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/history`, { ...query }, options);
  }

  /** All of them, page by page. */
  steps(kind: string, id: string, options?: ReadOptions): AsyncGenerator<MachineStep, void, undefined> {
    return numbered(
      (place) => this.history(kind, id, place, options),
      ({ steps }) => steps,
    );
  }

  /** What is permitted on a resource now, to whom, and why everything else would be refused. */
  permitted(kind: string, id: string, options?: ReadOptions): Promise<Replies['getPermittedActions']> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/permitted`, undefined, options);
  }

  /** A page of what proves a resource without this node (docs/auditing.md). */
  proof(
    kind: string,
    id: string,
    query?: Queries['getResourceProof'],
    options?: ReadOptions,
  ): Promise<Replies['getResourceProof']> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/proof`, { ...query }, options);
  }

  /** State and context of a resource, for those who may see its payloads. */
  state(kind: string, id: string, options?: ReadOptions): Promise<MachineState> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/state`, undefined, options);
  }
}
