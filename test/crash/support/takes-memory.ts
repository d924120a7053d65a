/** A thread that allocates some 200 MiB, and says so where no bound has ended it. */
import { parentPort } from 'node:worker_threads';

const kept: number[][] = [];
for (let mebibytes = 0; mebibytes < 200; mebibytes++)
  kept.push(Array.from({ length: 131_072 }, (_, index) => index / 3));
parentPort?.postMessage(`${kept.length} MiB`);
