/** What sqlite.test.ts leaves out. A node writes in a thread, a rebuild does not. */
import { sqliteContract } from './sqlite/suite.js';
import { otherParts, writingParts } from './store.contract.js';

sqliteContract('thread', otherParts);
sqliteContract('inline', writingParts);
