/** A sample of the walk of each kind, in every situation that it has. The whole walk is states.campaign.ts. */
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { describeSampledWalk } from './walked.js';

for (const definition of requestedOf(catalogue)) describeSampledWalk(definition);
