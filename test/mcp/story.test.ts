/** The whole story of an assistant with a wallet, run as its README says, and a search for its key. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { seedIn } from '../../packages/client/src/signing/key-file.js';
import { argon2Kdf } from '../../src/keys/kdf.js';
import { TestNode } from '../node/support/node.js';
import { ExampleProject } from '../support/example-project.js';
import { filesBelow } from '../support/files.js';
import { tidy } from '../support/scratch.js';

const example = 'examples/agent-wallet';

describe(example, () => {
  after(tidy);

  it('is played to its end, and the secrets of the agent are in its own files alone', async () => {
    const node = await TestNode.start();
    const project = ExampleProject.of(example);
    try {
      const dir = join(project.dir, 'agent');
      const { code, output } = await project.run(['story.mjs'], { SVC_NODE_URL: node.url, AGENT_DIR: dir });
      expect(code, output).to.equal(0);
      expect(output).to.include('pays once').and.to.include('An auditor reads all of it');
      await node.stop();
      const passphrase = readFileSync(join(dir, 'agent.pass'), 'utf8').trim();
      const file = JSON.parse(readFileSync(join(dir, 'agent.json'), 'utf8'));
      const seed = Buffer.from(
        await seedIn(file, passphrase, (text, { salt, ...cost }) =>
          argon2Kdf.derive(text, salt, { algorithm: 'argon2id', ...cost }),
        ),
      );
      const places = [...filesBelow(node.dir), ...filesBelow(dir), ['output', Buffer.from(output)] as const];
      const holding = (secret: string | Buffer) =>
        places.filter(([, bytes]) => bytes.includes(secret)).map(([name]) => basename(name));
      expect(holding(passphrase)).to.deep.equal(['agent.pass']);
      for (const spelling of [seed, seed.toString('hex'), seed.toString('base64url'), seed.toString('base64')])
        expect(holding(spelling)).to.deep.equal([]);
    } finally {
      await node.discard();
    }
  });
});
