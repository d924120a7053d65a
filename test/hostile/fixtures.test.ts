/** Inputs that once failed are answered, soon, as the API's description says, and never by 5xx. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { Description } from '../node/support/described.js';
import { tidy } from '../support/scratch.js';
import { fixtures, written } from './support/fixtures.js';
import { Target } from './support/target.js';

/** Of a machine that does other things as well; what some of these inputs once took was minutes. */
const longestMs = 5_000;

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
      const from = performance.now();
      const reply = await target.client.send(request);
      expect(performance.now() - from, 'ms').to.be.below(longestMs);
      expect(reply.status, reply.text.slice(0, 300)).to.be.below(500);
      if (status !== undefined) expectStatus(reply, status);
      description.check(request, reply);
    });
  }
});
