/**
 * A fifth of each kind's walk (test/conformance/states.campaign.ts), in the long form all of it: by people whose keys the node
 * keeps, and by others.
 */
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { isLong } from '../support/long.js';
import { describeBothWalks } from './walks.js';

for (const definition of requestedOf(catalogue)) describeBothWalks(definition, isLong ? 1 : 5);
