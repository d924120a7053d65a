import { realWorld } from '../../../src/world.js';

/** A whole number from 0 to `limit` - 1. */
export const below = (limit: number): number => Buffer.from(realWorld.random(4)).readUInt32LE() % limit;
