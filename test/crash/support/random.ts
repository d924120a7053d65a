import { realEnvironment } from '../../../src/core/environment.js';

/** A whole number from 0 to `limit` - 1. */
export const below = (limit: number): number => Buffer.from(realEnvironment.random(4)).readUInt32LE() % limit;
