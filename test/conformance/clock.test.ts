/** Deadlines: when a definition sets an alarm, the node's clock sends the action without any request. */
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { itDeliversAlarms } from './walked.js';

for (const definition of requestedOf(catalogue)) itDeliversAlarms(definition);
