/** The contract suite again, on a store that writes in its own thread, as a rebuild does. */
import { sqliteContract } from './sqlite/suite.js';

sqliteContract('inline');
