/** The definitions of the kinds, and the history of each resource. */

import { pathOf, type ReadOptions } from '../http.js';
import { numbered, type Paged, paged } from '../pages.js';
import type { MachineChart, MachineState, MachineStep, MachineSummary, Paging, Queries, Replies } from '../wire.js';
import type { Writes } from '../writes.js';

export class Machines {
  constructor(private readonly writes: Writes) {}

  list(query?: Paging, options?: ReadOptions): Paged<Replies['listMachines'], MachineSummary> {
    return paged((asked) => this.writes.http.get('/machines', asked, options), { ...query }, 'machines');
  }

  /** The state chart of a kind, at an older definition version if `version` names one. */
  get(kind: string, query?: Pick<Queries['getMachine'], 'version'>, options?: ReadOptions): Promise<MachineChart> {
    return this.writes.http.get(pathOf`/machines/${kind}`, { ...query }, options);
  }

  /** The chart as text, in one of the `formats` that the list of machines links to. */
  export(kind: string, format: string, options?: ReadOptions): Promise<string> {
    const path = pathOf`/api/v1/machines/${kind}`;
    return this.writes.http.send({ method: 'GET', path, query: { format }, beside: 'text', ...options });
  }

  /** One page of a resource's steps, oldest first. */
  history(
    kind: string,
    id: string,
    query?: Queries['getMachineHistory'],
    options?: ReadOptions,
  ): Promise<Replies['getMachineHistory']> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/history`, { ...query }, options);
  }

  /** Iterates over all steps of a resource, reading page by page. */
  steps(kind: string, id: string, options?: ReadOptions): AsyncGenerator<MachineStep, void, undefined> {
    return numbered(
      (place) => this.history(kind, id, place, options),
      ({ steps }) => steps,
    );
  }

  /** The actions that are permitted on a resource now, and by whom, with the reason why any other would be refused. */
  permitted(kind: string, id: string, options?: ReadOptions): Promise<Replies['getPermittedActions']> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/permitted`, undefined, options);
  }

  /** One page of the evidence with which a resource is verified without this node (docs/auditing.md). */
  proof(
    kind: string,
    id: string,
    query?: Queries['getResourceProof'],
    options?: ReadOptions,
  ): Promise<Replies['getResourceProof']> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/proof`, { ...query }, options);
  }

  /** State and context of a resource, for callers that may read its payloads. */
  state(kind: string, id: string, options?: ReadOptions): Promise<MachineState> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/state`, undefined, options);
  }
}
