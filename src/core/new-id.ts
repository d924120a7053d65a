import { ulid } from 'ulid';
import type { Environment } from './environment.js';

export const newId = (world: Pick<Environment, 'now' | 'random'>, prefix: string): string =>
  prefix + ulid(world.now(), () => (world.random(1)[0] ?? 0) / 256);
