/** The Python client (clients/python): the wheel built from this checkout, installed by itself. Long form only. */
import { join, resolve } from 'node:path';
import { TestNode } from '../node/support/node.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { must, python } from './support/tools.js';
import { expectTour } from './support/tour.js';

(isLong ? describe : () => {})('the Python client', function () {
  this.timeout(900_000);
  after(tidy);

  it('is built as a wheel, and does what it should', async function () {
    const interpreter = await python();
    if (interpreter === undefined) return this.skip();
    const dir = scratch();
    const built = await must(interpreter, [resolve('clients/python/build.py'), '--out', dir], dir);
    const wheel = built.trimEnd().split('\n').at(-1)!;
    await must('python3', ['-m', 'venv', 'environment'], dir);
    const installed = join(dir, 'environment', 'bin', 'python');
    await must(installed, ['-m', 'pip', 'install', '-q', `${wheel}[keys]`], dir);
    const node = await TestNode.start();
    try {
      await expectTour(node, installed, [resolve('clients/python/tests/tour.py')], dir);
    } finally {
      await node.stop();
    }
  });
});
