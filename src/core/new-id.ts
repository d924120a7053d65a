import { ulid } from 'ulid';
import type { Environment } from './environment.js';

/** A new id: the prefix and a ULID, so that ids sort by their time. */
export const newId = (world: Pick<Environment, 'now' | 'random'>, prefix: string): string =>
  prefix + ulid(world.now(), () => (world.random(1)[0] ?? 0) / 256);
