/** The laws of the kinds, and what each resource has gone through under them. */

import type { Posting } from '../../machines/kernel/posting.js';
import type { Receipt } from '../../store/entry.js';
import { pathOf, type ReadOptions } from '../http.js';
import type { Writes } from '../writes.js';

export interface MachineSummary {
  readonly kind: string;
  readonly title: string;
  /** Of the law: what entries and resources name as `machine`. */
  readonly version: string;
  /** False: it has a history but no life cycle. */
  readonly isMachine: boolean;
  readonly states: readonly string[];
  readonly actions: readonly string[];
  readonly links: { readonly self: string; readonly formats: { readonly [format: string]: string } };
}

export interface MachineTransition {
  /** `<from>.<action>.<to>`, or `create`. */
  readonly id: string;
  readonly from: string | null;
  readonly to: string;
  readonly event: string;
  readonly guards: readonly { readonly name: string; readonly refusal: string; readonly meaning?: string }[];
  readonly effects: readonly string[];
  readonly roles: readonly string[];
  readonly description?: string;
}

export interface MachineChart {
  readonly kind: string;
  readonly title: string;
  readonly version: string;
  readonly revision: number;
  readonly isMachine: boolean;
  readonly initial: string | null;
  readonly states: readonly { readonly name: string; readonly path: string; readonly type: string }[];
  readonly transitions: readonly MachineTransition[];
  /** Where it is drawn, in pixels; null where it has no drawing. */
  readonly layout: { readonly [member: string]: unknown } | null;
}

export interface MachineStep {
  /** From 1, without gaps. */
  readonly step: number;
  readonly version: number;
  /** The law that accepted it. */
  readonly machine: string;
  readonly action: string | null;
  readonly transition: string | null;
  readonly transitions: readonly (string | null)[];
  readonly nested: { readonly [member: string]: string } | null;
  readonly role: string | null;
  readonly from: string | null;
  readonly to: string;
  readonly path: readonly string[];
  readonly at: number;
  readonly signer: string;
  readonly nonce: number;
  readonly eventType: string;
  readonly eventHash: string;
  readonly entryHash: string;
  /** Number of the entry in the journal. */
  readonly seq: number;
  readonly postings: readonly Posting[];
  readonly txHash: string | null;
  readonly receipt: Receipt | null;
}

interface OfResource {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  readonly version: number;
  readonly machine: string;
}

export interface MachineHistory extends OfResource {
  readonly steps: readonly MachineStep[];
  readonly total: number;
  /** `after` of the next page; null at the end. */
  readonly next: number | null;
  readonly hasMore: boolean;
}

export interface PermittedActions extends OfResource {
  readonly time: number;
  /** Each action with who may do it now, and by which code it would be refused else. */
  readonly actions: readonly { readonly [member: string]: unknown }[];
}

/** `SHA-256` of the RFC 8785 form of `{ context, state }` is the `stateHash` of its newest entry. */
export interface MachineState extends OfResource {
  readonly context: { readonly [member: string]: unknown };
  /** Of the event that made this version. */
  readonly eventHash: string;
}

export interface HistoryQuery {
  /** Number of the entry of the last step seen. */
  readonly after?: number;
  readonly limit?: number;
}

const largestPage = 100;

export class Machines {
  constructor(private readonly writes: Writes) {}

  list(options?: ReadOptions): Promise<{ readonly machines: readonly MachineSummary[]; readonly total: number }> {
    return this.writes.http.get('/machines', undefined, options);
  }

  /** The chart of a kind; of an older law where `version` names one. */
  get(kind: string, query?: { readonly version?: string }, options?: ReadOptions): Promise<MachineChart> {
    return this.writes.http.get(pathOf`/machines/${kind}`, { ...query }, options);
  }

  /** The same in another form, as text: one of the `formats` that the list links to. */
  export(kind: string, format: string, options?: ReadOptions): Promise<string> {
    const path = pathOf`/api/v1/machines/${kind}`;
    return this.writes.http.send({ method: 'GET', path, query: { format }, beside: 'text', ...options });
  }

  /** A page of the steps that a resource took, oldest first. */
  history(kind: string, id: string, query?: HistoryQuery, options?: ReadOptions): Promise<MachineHistory> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/history`, { ...query }, options);
  }

  /** All of them, page by page. */
  async *steps(kind: string, id: string, options?: ReadOptions): AsyncGenerator<MachineStep, void, undefined> {
    for (let after: number | null = 0; after !== null; ) {
      const page: MachineHistory = await this.history(kind, id, { after, limit: largestPage }, options);
      yield* page.steps;
      after = page.next;
    }
  }

  /** What is permitted on a resource now, to whom, and why everything else would be refused. */
  permitted(kind: string, id: string, options?: ReadOptions): Promise<PermittedActions> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/permitted`, undefined, options);
  }

  /** State and context of a resource, for those who may see its payloads. */
  state(kind: string, id: string, options?: ReadOptions): Promise<MachineState> {
    return this.writes.http.get(pathOf`/machines/${kind}/${id}/state`, undefined, options);
  }
}
