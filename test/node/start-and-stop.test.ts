/** A start that fails half-way, and a disk that can't be examined: the state in which they leave the process. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { cheapKdf } from '../../packages/fake-node/src/cheap-kdf.js';
import { MovableClock } from '../../packages/fake-node/src/movable-clock.js';
import { createLog } from '../../src/core/log.js';
import type { Kdf } from '../../src/keys/kdf.js';
import { openNode } from '../../src/node/node.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { expectStatus } from './support/answers.js';
import { configOf, TestNode } from './support/node.js';

describe('A start that fails once the API listens', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'svc-test-node-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('closes what it opened: the port, the socket, the store', async () => {
    const inTheWay = join(dir, 'api.json', 'in the way');
    const kdf: Kdf = {
      derive(...asked) {
        mkdirSync(inTheWay, { recursive: true });
        return cheapKdf.derive(...asked);
      },
    };
    const port = await freePort();
    const config = configOf(dir, { SVC_PORT: String(port) });
    const start = (kdf: Kdf) =>
      openNode({ config, world: new MovableClock(), log: createLog(), kdf, onFault: () => {} });
    const failure = await start(kdf).then(
      () => 'started',
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(failure).to.be.oneOf(['EISDIR', 'ENOTEMPTY', 'EEXIST']);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => 'no answer');
    expect(answer).to.equal('no answer');
    expect(existsSync(join(dir, 'control.sock'))).to.equal(false);

    rmSync(join(dir, 'api.json'), { recursive: true });
    const node = await start(cheapKdf);
    expect((await fetch(`${node.url}/healthz`)).status).to.equal(200);
    await node.close();
  });
});

describe('A node.json that is damaged', () => {
  it('makes no other node of one on a shared database; on its own database the journal says which it is', async () => {
    for (const exclusive of [false, true]) {
      const store = new MemoryStore({ exclusive });
      const first = await TestNode.start({ store: async () => store });
      try {
        await first.running.close();
        writeFileSync(join(first.dir, 'node.json'), '{"did":');
        const parts = { config: configOf(first.dir), world: new MovableClock(), log: createLog(), kdf: cheapKdf };
        const again = openNode({ ...parts, store: store.survivor(), onFault: () => {} });
        const found = await again.then(
          async (node) => {
            await node.close();
            return node.did;
          },
          (error: Error) => error.message,
        );
        if (exclusive) expect(found).to.equal(first.did);
        else
          expect(found).to.match(
            /node\.json \(SVC_DATA_DIR\) names this node's DID, and it cannot be read or is damaged/,
          );
      } finally {
        await first.discard();
      }
    }
  });
});

describe('What a killed node has left', () => {
  it('an old api.json is gone before the node answers', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'svc-test-node-'));
    const file = join(dir, 'api.json');
    writeFileSync(file, JSON.stringify({ url: 'http://127.0.0.1:1', pid: 1 }));
    let seen: boolean | undefined;
    const node = await TestNode.start({
      dir,
      parts: {
        kdf: {
          derive(...asked) {
            seen ??= existsSync(file);
            return cheapKdf.derive(...asked);
          },
        },
      },
    });
    expect(seen, 'while the node unlocks its key').to.equal(false);
    expect(existsSync(file)).to.equal(true);
    await node.discard();
  });
});

describe('A disk whose free space cannot be read', () => {
  afterEach(() => sinon.restore());

  it('is logged once, and writes continue', async () => {
    const lines: string[] = [];
    const freeBytes = sinon.stub(SqliteStore.prototype, 'freeBytes').rejects(new RangeError('statfs: EIO'));
    const store = (dir: string): Promise<SqliteStore> => SqliteStore.open({ dir });
    const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
    const node = await TestNode.start({ store, parts: { log } });
    const onRejection = sinon.spy();
    process.on('unhandledRejection', onRejection);
    try {
      for (let i = 0; i < 3; i++) {
        const { callCount } = freeBytes;
        node.world.skip(6_000);
        await until('the node has looked', () => freeBytes.callCount > callCount);
      }
      expectStatus(await node.client.post('/api/v1/faucet', { did: node.did }));
      sinon.assert.notCalled(onRejection);
      expect(lines.filter((line) => line.includes('free disk space'))).to.have.length(1);
      freeBytes.restore();
      node.world.skip(6_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expectStatus(await node.client.post('/api/v1/faucet', { did: node.did }));
    } finally {
      process.off('unhandledRejection', onRejection);
      await node.discard();
    }
  });
});
