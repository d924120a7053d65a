/**
 * A reference model: decides in memory the requests that a node has decided, for comparison. Balances don't matter
 * here: every account has enough.
 */
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal, type Refusal } from '../../../src/core/refusal.js';
import { type Before, decide, type Outcome } from '../../../src/machines/kernel/decide.js';
import type { Catalogue } from '../../../src/machines/kernel/definition.js';
import type { AccountState } from '../../../src/machines/kernel/ledger.js';
import type { Request, Resource } from '../../../src/machines/kernel/resource.js';

export interface EventFacts {
  readonly signer: string;
  readonly time: number;
  /** Hash of the event that the node recorded for the request. */
  readonly hash: string;
}

const plenty = 1e12;

export class ReferenceModel implements Before {
  readonly #resources = new Map<string, Resource>();

  constructor(
    private readonly catalogue: Catalogue,
    readonly network: string,
  ) {}

  resource(kind: string, id: string): Resource | undefined {
    return this.#resources.get(`${kind}/${id}`);
  }

  account(did: string): AccountState {
    return { did, available: plenty, reserved: plenty, escrowed: plenty, version: 0, frozen: false };
  }

  /** Decides the request, and keeps the resources that it writes. */
  ask(request: Request, { signer, time, hash }: EventFacts): Outcome | Refusal {
    const { catalogue, network } = this;
    // Nothing is signed here, so no home has to be named.
    const outcome = decide(catalogue, request, { signer, time, network, home: '', system: false }, this);
    if (isRefusal(outcome)) return outcome;
    for (const { kind, id, before, state, context, machine } of outcome.written) {
      this.#resources.set(`${kind}/${id}`, {
        kind,
        id,
        version: (before?.version ?? 0) + 1,
        state,
        context: context as JsonObject,
        lastHash: hash,
        machine,
        createdAt: before?.createdAt ?? time,
        updatedAt: time,
      });
    }
    return outcome;
  }
}
