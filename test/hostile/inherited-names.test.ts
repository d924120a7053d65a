/** Names that every object inherits are no kinds, actions, routes, codes, parameters or members. */
import { expect } from 'chai';
import { catalogue } from '../../src/machines/catalogue.js';
import { expectStatus } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

describe('Names that every object inherits', () => {
  let node: TestNode;
  before(async () => {
    node = await TestNode.start();
  });
  after(() => node.stop());

  for (const name of names) {
    it(`find no definition, workflow or action: ${name}`, () => {
      expect(catalogue.definitions[name]).to.equal(undefined);
      expect(catalogue.workflows[name]).to.equal(undefined);
      for (const { kind, actions } of Object.values(catalogue.definitions)) {
        expect((actions as { readonly [action: string]: unknown })[name], kind).to.equal(undefined);
      }
    });

    it(`cause no fault in a path, a query or a body: ${name}`, async () => {
      const admin = await node.keyed({ scope: 'admin' });
      const { paths } = expectStatus(await admin.get('/openapi.json'));
      let asked = 0;
      for (const [path, operations] of Object.entries<{ readonly [method: string]: never }>(paths)) {
        if (/stream|stop/.test(path)) continue;
        const at = path.replace(/\{\w+\}/g, name);
        const parameters: readonly { readonly in: string; readonly name: string }[] =
          (operations.get as { parameters?: never[] } | undefined)?.parameters ?? [];
        const query = parameters.filter((each) => each.in === 'query').map((each) => each.name);
        const requests = [
          ...(operations.get ? [at, ...query.map((each) => `${at}?${each}=${name}`), `${at}?${name}=1`] : []).map(
            (url) => admin.get(url),
          ),
          ...(operations.post && at !== path ? [admin.post(at, {}), admin.post(at, { kind: name, action: name })] : []),
          ...(operations.post ? [admin.post(at, JSON.parse(`{"${name}":1}`))] : []),
        ];
        for (const { status } of await Promise.all(requests)) expect(status, at).to.be.below(500);
        asked += requests.length;
      }
      expect(asked).to.be.above(200);
    });
  }
});
