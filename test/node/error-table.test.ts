/**
 * The tables of types and codes, typed by hand (docs/reference/errors.md#type-uris, docs/reference/errors.md#codes), compared
 * with the node's error pages.
 */
import { expect } from 'chai';
import { expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { nodeForSuite } from './support/node.js';

const uris: { readonly [suffix: string]: number } = {
  'validation-error': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'unprocessable-entity': 422,
  'too-many-requests': 429,
  'internal-error': 500,
};

const codes: readonly (readonly [code: string, status: number, suffix: string])[] = [
  ['INVALID_REQUEST', 400, 'validation-error'],
  ['UNAUTHORIZED', 401, 'unauthorized'],
  ['FORBIDDEN', 403, 'forbidden'],
  ['NOT_FOUND', 404, 'not-found'],
  ['METHOD_NOT_ALLOWED', 405, 'method-not-allowed'],
  ['CONFLICT', 409, 'conflict'],
  ['UNPROCESSABLE', 422, 'unprocessable-entity'],
  ['RATE_LIMITED', 429, 'too-many-requests'],
  ['INTERNAL_ERROR', 500, 'internal-error'],
  ['INSUFFICIENT_BALANCE', 402, 'validation-error'],
  ['TRANSFER_NOT_ALLOWED', 403, 'forbidden'],
  ['ESCROW_NOT_FOUND', 404, 'not-found'],
  ['ESCROW_INVALID_STATE', 409, 'conflict'],
  ['ESCROW_RULE_NOT_MET', 409, 'conflict'],
  ['LISTING_NOT_FOUND', 404, 'not-found'],
  ['LISTING_NOT_ACTIVE', 409, 'conflict'],
  ['ORDER_NOT_FOUND', 404, 'not-found'],
  ['ORDER_INVALID_STATE', 409, 'conflict'],
  ['BID_NOT_ALLOWED', 403, 'forbidden'],
  ['SUBMISSION_NOT_ALLOWED', 403, 'forbidden'],
  ['CONTRACT_NOT_FOUND', 404, 'not-found'],
  ['CONTRACT_INVALID_STATE', 409, 'conflict'],
  ['CONTRACT_NOT_SIGNED', 409, 'conflict'],
  ['CONTRACT_MILESTONE_INVALID', 400, 'validation-error'],
  ['DISPUTE_NOT_ALLOWED', 409, 'conflict'],
  ['DID_NOT_FOUND', 404, 'not-found'],
  ['DID_INVALID', 400, 'validation-error'],
  ['DID_UPDATE_CONFLICT', 409, 'conflict'],
  ['CAPABILITY_INVALID', 400, 'validation-error'],
  ['REPUTATION_NOT_FOUND', 404, 'not-found'],
  ['REPUTATION_INVALID', 400, 'validation-error'],
];

describe('The tables of errors', () => {
  const node = nodeForSuite();
  const explained = async (suffix: string): Promise<Body> => expectStatus(await node().client.get(`/errors/${suffix}`));

  it('every type URI has its explanation at that address', async () => {
    const { errors } = expectStatus(await node().client.get('/errors'));
    for (const suffix of Object.keys(uris)) {
      const { type } = await explained(suffix);
      expect(type).to.equal(`${node().url}/errors/${suffix}`);
      expect(errors.map((each: Body) => each.type)).to.include(type);
    }
  });

  for (const [code, status, suffix] of codes) {
    it(`${code} is ${status} and ${suffix}`, async () => {
      const { codes: there } = await explained(suffix);
      expect(there).to.deep.include({ code, status });
      for (const other of Object.keys(uris)) {
        if (other === suffix) continue;
        expect((await explained(other)).codes.map((each: Body) => each.code)).not.to.include(code);
      }
    });
  }

  it('a code of the table is in the schema of problems', async () => {
    const { components } = expectStatus(await node().client.get('/openapi.json'));
    const known = components.schemas.Problem.properties.code.enum;
    for (const [code] of codes) expect(known).to.include(code);
  });
});
