/** The OpenAPI document describes every route as the node behaves. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { nodeForSuite } from '../node/support/node.js';
import { validatorsOf } from './document-validators.js';
import { undescribed } from './undescribed.js';

describe('OpenAPI', () => {
  const node = nodeForSuite();
  let document: Body;

  before(async () => {
    document = expectStatus(await node().client.get('/openapi.json'));
  });

  const operations = (): [path: string, method: string, operation: Body][] =>
    Object.entries<Body>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Body>(methods).map(([method, operation]): [string, string, Body] => [path, method, operation]),
    );

  it('is 3.1 of this version', async () => {
    expect(document.openapi).to.equal('3.1.0');
    expect(document.info.version).to.equal(expectStatus(await node().client.get('/api/v1/node')).version);
  });

  it('lists every route of the node, and no other', () => {
    const routes = node().running.routes.map(
      ({ method, path, name }) => `${name}: ${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    const listed = operations().map(
      ([path, method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
    );
    expect(listed.sort()).to.deep.equal(routes.sort());
  });

  it('names every parameter of a path, and each reference resolves', () => {
    for (const [path, , { parameters, operationId }] of operations()) {
      const named = parameters.filter((each: Body) => each.in === 'path').map((each: Body) => each.name);
      expect(named, operationId).to.deep.equal([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
    const text = JSON.stringify(document);
    for (const [, reference] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      expect(
        reference!.split('/').reduce((at: Body, name) => at?.[name], document),
        reference,
      ).to.be.an('object');
    }
  });

  it('says of every member, parameter and operation what it is', () => {
    expect(undescribed(document), 'describe these where their schema is').to.deep.equal([]);
  });

  it('has the success of each route, its scope, and whether it needs a key', () => {
    const routes = new Map(node().running.routes.map((route) => [route.name, route]));
    for (const [, , operation] of operations()) {
      const route = routes.get(operation.operationId)!;
      expect(operation.responses, route.name).to.have.property(String(route.success.status));
      expect(operation['x-scope']).to.equal(route.scope);
      const keyless = operation.security.some((each: Body) => Object.keys(each).length === 0);
      expect(keyless, route.name).to.equal(route.open === true);
    }
  });

  it('has an example of each body and each JSON reply, which fits its schema', () => {
    const expectValid = validatorsOf(document);
    const json = 'application/json';
    for (const [path, method, { requestBody, responses, operationId }] of operations()) {
      const status = Object.keys(responses).find((each) => each.startsWith('2'))!;
      const places = [
        ...(requestBody ? [['requestBody']] : []),
        ...(responses[status].content?.[json] ? [['responses', status]] : []),
      ];
      for (const place of places) {
        const { example } = place.reduce((at, name) => at[name], document.paths[path][method]).content[json];
        expect(example, `${operationId} ${place[0]}: add one by npm run record-examples`).to.be.an('object');
        expectValid(['paths', path, method, ...place, 'content', json, 'schema'], example);
      }
    }
  });

  it('names the body of each write after its operation', () => {
    const bodies = operations().filter(([, , { requestBody }]) => requestBody);
    expect(bodies.length).to.be.above(60);
    for (const [, , { requestBody, operationId }] of bodies) {
      const name = `${operationId[0].toUpperCase()}${operationId.slice(1)}Request`;
      const schema = { $ref: `#/components/schemas/${name}` };
      expect(requestBody.content['application/json'].schema, operationId).to.deep.equal(schema);
    }
  });

  it('marks what is secret as write-only', () => {
    const requests = Object.entries<Body>(document.components.schemas).filter(([name]) => name.endsWith('Request'));
    const secrets = requests.filter(([, { properties }]) => properties.passphrase);
    expect(secrets.length).to.be.above(50);
    for (const [name, { properties }] of secrets) expect(properties.passphrase.writeOnly, name).to.equal(true);
  });
});
