/** Every write whose path names a resource is refused if its body names another one. */
import { expect } from 'chai';
import { expectInvalid, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { nodeForSuite } from './support/node.js';

/** A parameter that is left out, because in a body it is the signer; routes where it is both have separate codes. */
const signer = 'did';

/** Bodies that may have any members (docs/reference/requests.md#unknown-members). */
const openBodies = ['/api/v1/markets/info/{listingId}/actions/deliver'];

describe('A body that contradicts its path', () => {
  const node = nodeForSuite();
  let client: Client;
  /** Each write with a parameter in its path: the template, the parameters, and the documented example of its body. */
  let writes: readonly (readonly [template: string, names: readonly string[], example: Body])[];

  before(async () => {
    client = await node().keyed({ scope: 'admin' });
    const { paths } = expectStatus(await node().client.get('/openapi.json'));
    writes = Object.entries<Body>(paths).flatMap(([template, { post }]) => {
      const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== signer);
      return post && names.length > 0
        ? [[template, names, post.requestBody?.content['application/json'].example ?? {}] as const]
        : [];
    });
  });

  /** The value of each parameter. No resource has this id. */
  const inPath = (name: string): string => `${name}-1`;
  const pathOf = (template: string): string => template.replace(/\{(\w+)\}/g, (_, name: string) => inPath(name));

  it('INVALID_REQUEST names what contradicts the path, on every route', async () => {
    const before = await node().state();
    for (const [template, names, example] of writes) {
      for (const name of names) {
        for (const other of [`${name}-2`, '', 7, {}]) {
          const reply = await client.post(pathOf(template), { ...example, [name]: other });
          expect(reply.status, `${template}, ${name}: ${reply.text}`).to.equal(400);
          expectInvalid(reply, name);
        }
      }
    }
    expect(await node().state()).to.deep.equal(before);
  });

  it('INVALID_REQUEST names an unknown member of every write', async () => {
    const { paths } = expectStatus(await node().client.get('/openapi.json'));
    const all = Object.entries<Body>(paths).filter(([template, { post }]) => post && !openBodies.includes(template));
    expect(all.length).to.be.greaterThan(60);
    const before = await node().state();
    for (const [template, { post }] of all) {
      const example = post.requestBody?.content['application/json'].example ?? {};
      const reply = await client.post(pathOf(template), { ...example, zzUnknown: 1 });
      expect(reply.status, `${template}: ${reply.text}`).to.equal(400);
      expectInvalid(reply, 'zzUnknown');
    }
    expect(await node().state()).to.deep.equal(before);
  });

  it('the same again, and null, are no contradiction', async () => {
    for (const [template, names, example] of writes) {
      for (const said of [inPath, () => null]) {
        const body = { ...example, ...Object.fromEntries(names.map((name) => [name, said(name)])) };
        const { text } = await client.post(pathOf(template), body);
        expect(text, template).not.to.include('is not the one in the path');
      }
    }
  });

  it('there are such routes: of every market, of contracts, escrows and orders', () => {
    const templates = writes.map(([template]) => template);
    expect(templates).to.include.members([
      '/api/v1/escrows/{escrowId}/actions/fund',
      '/api/v1/markets/info/{listingId}/actions/purchase',
      '/api/v1/markets/tasks/{taskId}/bids/{bidId}/actions/accept',
      '/api/v1/markets/tasks/{taskId}/actions/deliver',
      '/api/v1/markets/capabilities/leases/{leaseId}/actions/invoke',
      '/api/v1/contracts/{contractId}/milestones/{milestoneId}/actions/submit',
      '/api/v1/orders/{orderId}/actions/open',
    ]);
  });
});
