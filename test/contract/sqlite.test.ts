import { sqliteContract } from './sqlite/suite.js';
import { otherParts, writingParts } from './store.contract.js';

// Starting a writer's thread takes thirty times as long as a test: the campaign has the parts the other way round.
sqliteContract('thread', writingParts);
sqliteContract('inline', otherParts);
