/** A process that runs a local chain and says so, for a test to kill: `node anvil-owner.js <folder> [exit]`. */
import { Anvil } from '../../../src/chain/devnet/anvil.js';
import { anvilBinary } from '../../../src/chain/devnet/anvil-binary.js';
import { realWorld as world } from '../../../src/world.js';

// The world's timers keep no process alive.
setInterval(() => {}, 60_000);
const anvil = await Anvil.open({
  binary: anvilBinary()!,
  folder: process.argv[2]!,
  chainId: 77_001,
  world,
  log: () => {},
});
process.stdout.write(`${JSON.stringify({ pid: anvil.pid, url: anvil.url })}\n`);
// As a node does that ends by a fault, by a second signal, or because it takes too long to stop.
if (process.argv[3] === 'exit') process.exit(7);
