/** Compiles a generated client with the checkout's compiler, with declarations. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { must } from './tools.js';

export async function compile(dir: string): Promise<void> {
  const compilerOptions = {
    ...{ strict: true, target: 'es2022', module: 'nodenext', outDir: 'out', rootDir: '.' },
    ...{ lib: ['es2022', 'dom'], types: ['node'], typeRoots: [resolve('node_modules/@types')] },
  };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  await must(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', '.'], dir);
}
