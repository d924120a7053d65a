import { expect } from 'chai';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.js';

const job = { do: 'delete', name: 'table', id: 'id' } as const;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue in front of a fake writer that records how many jobs each batch had. */
function queueOf({ enough = 10, patienceMs = 5 } = {}) {
  const sizes: number[] = [];
  let now = 0;
  const write = async (jobs: readonly unknown[]) => {
    sizes.push(jobs.length);
    return { outcomes: jobs.map(() => true), commits: sizes.length };
  };
  const queue = new WriteQueue({ write, gathering: { enough, patienceMs } }, { monotonic: () => now });
  /** Adds that many jobs in each turn, with `msEach` ms between the turns. */
  const push = async (turns: readonly number[], msEach = 0) => {
    for (const count of turns) {
      for (let i = 0; i < count; i++) void queue.push(job);
      await turn();
      now += msEach;
    }
  };
  return { sizes, push, queue };
}

describe('jobs that wait for the writer', () => {
  it('are sent with their turn where each comes alone', async () => {
    const { sizes, push } = queueOf();
    await push([1]);
    expect(sizes).to.deep.equal([1]);
    await push([1, 1, 1]);
    expect(sizes).to.deep.equal([1, 1, 1, 1]);
  });

  it('gather while every turn brings another one, until there are enough', async () => {
    const { sizes, push } = queueOf();
    await push([2, 3, 1, 3, 4]);
    expect(sizes).to.deep.equal([10]);
    await push([1, 0, 0]);
    expect(sizes).to.deep.equal([10, 4]);
  });

  it('are sent after a turn that brings none', async () => {
    const { sizes, push } = queueOf();
    await push([3, 3]);
    expect(sizes).to.deep.equal([]);
    await push([0]);
    expect(sizes).to.deep.equal([6]);
    // A single job after several waits one turn for others, and the next single one does not wait.
    await push([1]);
    expect(sizes).to.deep.equal([6]);
    await push([0, 1]);
    expect(sizes).to.deep.equal([6, 1, 1]);
  });

  it('are sent when the first of them has waited long enough', async () => {
    const { sizes, push } = queueOf();
    await push([2, 1, 1, 1, 1], 1);
    expect(sizes).to.deep.equal([]);
    await push([1], 1);
    expect(sizes).to.deep.equal([7]);
  });

  it('are sent with the turn that brings receipts', async () => {
    const { sizes, push, queue } = queueOf();
    await push([3, 3]);
    void queue.push({ do: 'receipts', receipts: [] });
    await push([1]);
    expect(sizes).to.deep.equal([8]);
    await push([3, 1]);
    expect(sizes).to.deep.equal([8]);
  });

  it('are sent in their turn where waiting is not allowed', async () => {
    const { sizes, push } = queueOf({ enough: Number.POSITIVE_INFINITY, patienceMs: 0 });
    await push([2, 30, 1]);
    expect(sizes).to.deep.equal([2, 30, 1]);
  });
});
