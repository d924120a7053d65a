/**
 * For every kind with a machine: reaches each situation by its shortest path, over HTTP against a real node; then tries every
 * action there, by every person, now and after the deadlines. Each is either accepted, or refused with the exact code and
 * without any change. A new kind takes part through its scenario in packages/model/src/scenarios.
 */
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { describeWalk } from './walked.js';

for (const definition of requestedOf(catalogue)) describeWalk(definition);
