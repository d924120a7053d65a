/** The scenario of each kind. */
import { catalogue } from '../../../src/machines/catalogue.js';
import type { Catalogue } from '../../../src/machines/kernel/definition.js';
import type { Scenario } from './scenario.js';
import { contractScenario } from './scenarios/contract.js';
import { disputeScenario } from './scenarios/dispute.js';
import { escrowScenario } from './scenarios/escrow.js';
import { infoOrderScenario } from './scenarios/info-order.js';
import { leaseScenario } from './scenarios/lease.js';
import { listingScenario } from './scenarios/listing.js';
import { bidScenario, taskOrderScenario } from './scenarios/task.js';

/** Kinds, and the scenario of each that callers create or act on. */
export interface WalkedKinds {
  readonly catalogue: Catalogue;
  readonly scenarios: { readonly [kind: string]: Scenario };
}

const scenarios: WalkedKinds['scenarios'] = {
  escrow: escrowScenario,
  'info-listing': listingScenario,
  'task-listing': listingScenario,
  'capability-listing': listingScenario,
  lease: leaseScenario,
  'info-order': infoOrderScenario,
  contract: contractScenario,
  dispute: disputeScenario,
  bid: bidScenario,
  'task-order': taskOrderScenario,
};

/** The kinds of this package. */
export const ownKinds: WalkedKinds = { catalogue, scenarios };

/** @throws MissingScenario if the kind has none; its message says what to write */
export function scenarioOf({ kind }: { readonly kind: string }, from: WalkedKinds = ownKinds): Scenario {
  const scenario = from.scenarios[kind];
  if (!scenario) throw new MissingScenario(kind);
  return scenario;
}

export class MissingScenario extends Error {
  override name = 'MissingScenario';

  constructor(kind: string) {
    super(
      `nothing is known of how ${kind} is walked: write packages/model/src/scenarios/${kind}.ts, and a line in scenarios.ts`,
    );
  }
}
