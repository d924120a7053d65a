/** The keys of the Python client, by docs/generated/journal-vectors.json. The client itself: test/generators. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

const canRun = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

(canRun ? it : it.skip)('The keys of the Python client have the DIDs and signatures of the vectors', () => {
  const { status, stderr } = spawnSync('python3', ['clients/python/tests/vectors.py'], { encoding: 'utf8' });
  expect(status, stderr).to.equal(0);
}).timeout(20_000);
