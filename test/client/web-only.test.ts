import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { nodeForSuite } from '../node/support/node.js';

/** Plain JavaScript: it runs as it lies in the sources. */
const runner = fileURLToPath(new URL('../../../test/client/support/web-only.mjs', import.meta.url));
const client = fileURLToPath(new URL('../../src/client/index.js', import.meta.url));

describe('client: where there is no Node.js', () => {
  const node = nodeForSuite();

  it('writes, reads, follows and is refused with nothing but what the web has', async () => {
    const child = spawn(process.execPath, ['--no-warnings', '--experimental-vm-modules', runner, client, node().url]);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    const [code] = await once(child, 'close');
    expect(code, said).to.equal(0);
    const { files, ...found } = JSON.parse(said) as { readonly files: number };
    expect(files, 'modules of the client').to.be.above(20);
    expect(found).to.deep.equal({
      seen: ['transfer.sent', 'transfer.sent', 'transfer.sent'],
      refusal: 'INSUFFICIENT_BALANCE',
      balance: 6,
      bare: 'undefinedundefinedundefined',
    });
  });
});
