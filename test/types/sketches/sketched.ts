/** The catalogue with the three sketches in it. */
import { catalogueOf, catalogue as everyKind } from '../../../src/machines/catalogue.js';
import { contract, contractWorkflows } from './contract.js';
import { lease, leaseWorkflows } from './lease.js';
import { bid, task, taskOrder, taskWorkflows } from './task.js';

export const sketched = catalogueOf([...Object.values(everyKind.definitions), contract, task, bid, taskOrder, lease], {
  ...everyKind.workflows,
  ...contractWorkflows,
  ...taskWorkflows,
  ...leaseWorkflows,
});
