/** Published vectors, which others' programs pass as well: inputs and expected values, with their source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const vectorFile = (name: string) => JSON.parse(readFileSync(join('test', 'support', 'vectors', name), 'utf8'));

export const vectorsIn = <V>(name: string): readonly V[] => vectorFile(name).vectors;
