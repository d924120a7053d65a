/** An example, copied into a separate project as its README says, and run there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { scratch } from './scratch.js';

export class ExampleProject {
  private constructor(readonly dir: string) {}

  /** @param example folder in this checkout. The test calls `tidy` at its end */
  static of(example: string): ExampleProject {
    const dir = scratch();
    cpSync(example, dir, { recursive: true, filter: (path) => !path.includes('node_modules') });
    const { dependencies } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
    // Laid out as npm installs a dependency on a folder.
    for (const [name, from] of Object.entries(dependencies as Record<string, string>)) {
      const link = join(dir, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(resolve(from.startsWith('file:') ? join(example, from.slice(5)) : join('node_modules', name)), link);
    }
    return new ExampleProject(dir);
  }

  async run(
    words: readonly string[],
    variables: NodeJS.ProcessEnv,
  ): Promise<{ readonly code: number | null; readonly output: string }> {
    // Removes the marker of this test run, so that the example is a separate run.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const child = spawn(process.execPath, [...words], { cwd: this.dir, env: { ...env, ...variables } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const [code] = await once(child, 'close');
    return { code, output };
  }
}
