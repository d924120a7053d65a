import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { nodeForSuite } from '../node/support/node.js';

/** From dist/test/client. */
const checkout = join(dirname(fileURLToPath(import.meta.url)), '../../..');

const blocksOf = (language: string): string[] =>
  [...readFileSync(join(checkout, 'docs/client.md'), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text]) => text!);

describe('docs/client.md', () => {
  const node = nodeForSuite();

  it('runs as it stands, and prints what it says', async () => {
    // Inside the package folder, so that its imports resolve as in an installed package.
    const program = join(checkout, 'dist', `guide-${process.pid}.mjs`);
    writeFileSync(program, blocksOf('js').join('\n'));
    try {
      const child = spawn(process.execPath, [program], { env: { ...process.env, SVC_NODE_URL: node().url } });
      let said = '';
      let complaints = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        complaints += text;
      });
      const [code] = await once(child, 'close');
      expect(code, complaints).to.equal(0);
      expect(said).to.equal(blocksOf('text').join(''));
    } finally {
      rmSync(program, { force: true });
    }
  });
});
