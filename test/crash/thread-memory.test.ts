/** A thread that takes more memory than it may ends with an error; the process continues. */
import { once } from 'node:events';
import { expect } from 'chai';
import { runningThreads, startThread } from '../../src/core/threads.js';

describe('a thread that takes more memory than it may', () => {
  it('ends alone', async () => {
    const worker = startThread(new URL('./support/takes-memory.js', import.meta.url), { name: 'greedy', heap: 24 });
    const [fault] = await Promise.race([once(worker, 'error'), once(worker, 'message')]);
    expect(fault).to.have.property('code', 'ERR_WORKER_OUT_OF_MEMORY');
    expect(runningThreads()).to.deep.equal([]);
  });
});
