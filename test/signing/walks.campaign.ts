/** The whole walk of each kind (test/conformance/states.campaign.ts), by people whose keys the node keeps, and by others. */
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { describeBothWalks } from './walks.js';

for (const definition of requestedOf(catalogue)) describeBothWalks(definition, 1);
