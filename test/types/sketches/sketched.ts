/** The catalogue with the three sketches in it. */
import { catalogueOf, catalogue as everyKind } from '../../../src/machines/catalogue.js';
import type { Catalogue } from '../../../src/machines/kernel/step.js';
import { contract, contractWorkflows } from './contract.js';
import { lease, leaseWorkflows } from './lease.js';
import { bid, task, taskOrder, taskWorkflows } from './task.js';

const { definitions, workflows } = catalogueOf(
  [...Object.values(everyKind.definitions), contract, task, bid, taskOrder, lease],
  { ...everyKind.workflows, ...contractWorkflows, ...leaseWorkflows },
);

/** Bids on sketched tasks look into these alone. */
export const sketched: Catalogue = { definitions, workflows: { ...workflows, ...taskWorkflows } };
