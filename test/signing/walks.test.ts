/** A sample of each kind's walk. The whole walk is walks.campaign.ts. */
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { describeBothWalks } from './walks.js';

for (const definition of requestedOf(catalogue)) describeBothWalks(definition, 31);
