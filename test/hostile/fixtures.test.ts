/** Inputs that once caused a failure are answered quickly, as the OpenAPI document says, and never with 5xx. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { Description } from '../node/support/described.js';
import { ranMs } from '../support/scheduling.js';
import { tidy } from '../support/scratch.js';
import { fixtures, written } from './support/fixtures.js';
import { Target } from './support/target.js';

/**
 * CPU time of the node, which does not depend on the machine's load. They take at most 30 ms; the former failures took 400 and
 * more.
 */
const mostMs = 250;

describe('Hostile inputs that were found', () => {
  let target: Target;
  let description: Description;

  before(async () => {
    target = await Target.start();
    description = new Description(expectStatus(await target.client.get('/openapi.json')));
  });
  after(async () => {
    await target?.stop();
    await tidy();
  });

  for (const [name, fixture] of fixtures()) {
    it(`${name}: ${fixture.found}`, async () => {
      const { method, path, headers = {}, body, status } = written(fixture);
      const request = { method, path, headers, ...(body === undefined ? {} : { body }) };
      const before = ranMs(target.process.pid);
      const reply = await target.client.send(request);
      const took = ranMs(target.process.pid) - before;
      expect(took, 'ms of CPU').to.be.below(mostMs);
      expect(reply.status, reply.text.slice(0, 300)).to.be.below(500);
      if (status !== undefined) expectStatus(reply, status);
      description.check(request, reply);
    });
  }
});
