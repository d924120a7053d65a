/** A process that opens an outbox many times, as commands one after another would. */
import { KeyOutbox } from '../../../src/cli/key/outbox.js';

const [, , path = ''] = process.argv;
for (let count = 0; count < 200; count++) KeyOutbox.open(path, 60_000).close();
