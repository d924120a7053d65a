/** What of the Python client runs without its dependencies. The client itself: test/generators. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

const canRun = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

function holds(script: string): void {
  const { status, stderr } = spawnSync('python3', [`clients/python/tests/${script}`], { encoding: 'utf8' });
  expect(status, stderr).to.equal(0);
}

(canRun ? describe : describe.skip)('The Python client', () => {
  it('has keys with the DIDs and signatures of the vectors', () => holds('vectors.py'));

  it('tells genuine deliveries of webhooks, whatever their headers are', () => holds('genuine.py'));
});
