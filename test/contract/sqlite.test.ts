import { sqliteContract } from './sqlite/suite.js';

sqliteContract('thread');
