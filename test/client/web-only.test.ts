/** The client's tour without Node.js: in a context with only web APIs, and in Deno. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { nodeForSuite } from '../node/support/node.js';
import { clientFile, found, tourFile, webOnlyRunner } from './support/tours.js';

/** Parses the command's output as JSON. If the command fails, the error contains its whole output. */
async function outputOf(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const child = spawn(command, args, { env: { ...process.env, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = await once(child, 'close');
  expect(code, said).to.equal(0);
  return JSON.parse(said);
}

const deno = process.env.SVC_TEST_DENO ?? 'deno';
const isDenoThere = spawnSync(deno, ['--version']).status === 0;

describe('client: where there is no Node.js', () => {
  const node = nodeForSuite();

  it('writes, reads, waits, follows and is refused with nothing but what the web has', async () => {
    const args = ['--no-warnings', '--experimental-vm-modules', webOnlyRunner, clientFile, node().url];
    const { files, ...rest } = (await outputOf(process.execPath, args)) as { readonly files: number };
    expect(files, 'modules of the client').to.be.above(20);
    expect(rest).to.deep.equal({ ...found, bare: 'undefinedundefinedundefined' });
  });

  (isDenoThere ? it : it.skip)('does so in Deno, which may connect to the node and do nothing else', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'svc-deno-'));
    try {
      const program = join(dir, 'program.mjs');
      writeFileSync(
        program,
        `import * as client from ${JSON.stringify(pathToFileURL(clientFile).href)};
         import { tour } from ${JSON.stringify(pathToFileURL(tourFile).href)};
         console.log(JSON.stringify(await tour(client, { url: Deno.args[0] })));`,
      );
      const { host } = new URL(node().url);
      const may = ['--no-prompt', '--no-remote', '--no-npm', '--no-config', `--allow-net=${host}`];
      const env = { DENO_DIR: join(dir, 'cache'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
      expect(await outputOf(deno, ['run', ...may, program, node().url], env)).to.deep.equal(found);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
