import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** How many segments of old entries a data directory has. */
export const segmentsIn = (dir: string): number =>
  existsSync(join(dir, 'segments'))
    ? readdirSync(join(dir, 'segments')).filter((name) => name.endsWith('.segment')).length
    : 0;
