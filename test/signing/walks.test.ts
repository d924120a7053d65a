/** A sample of each kind's walk. More of it: walks.campaign.ts. */
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { describeBothWalks } from './walks.js';

for (const definition of requestedOf(catalogue)) describeBothWalks(definition, 301);
