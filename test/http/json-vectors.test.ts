/** JSONTestSuite, sent as bodies, and as a member of one (docs/reference/requests.md#json-input). */
import { expect } from 'chai';
import type { Body } from '../node/support/client.js';
import { nodeForSuite } from '../node/support/node.js';
import { vectorsIn } from '../support/vectors.js';

type Text = string | { readonly hex: string } | { readonly repeat: string; readonly times: number };

/** Valid JSON that this node refuses, and what it says. */
const refused: { readonly [name: string]: string } = {
  y_number_minus_zero: 'is -0, which has no canonical form',
  y_number_negative_zero: 'is -0, which has no canonical form',
  y_object_duplicated_key: 'appears twice in one object',
  y_object_duplicated_key_and_value: 'appears twice in one object',
  y_object_escaped_null_in_key: 'has a key that contains NUL',
  y_string_null_escape: 'contains NUL',
};
/** Parsers may take or refuse the texts with i_: this node takes one, because the double equals the integer. */
const taken = ['i_number_too_big_pos_int'];

function bytesOf(text: Text): Buffer {
  if (typeof text === 'string') return Buffer.from(text);
  return 'hex' in text ? Buffer.from(text.hex, 'hex') : Buffer.from(text.repeat.repeat(text.times));
}

const isTaken = (name: string): boolean => (name.startsWith('y_') ? !(name in refused) : taken.includes(name));

describe('JSONTestSuite', () => {
  const node = nodeForSuite();
  const vectors = vectorsIn<readonly [name: string, text: Text]>('json-parsing.json');

  async function send(body: Buffer): Promise<{ readonly status: number; readonly body: Body }> {
    const headers = { 'Content-Type': 'application/json' };
    const reply = await fetch(`${node().url}/api/v1/contracts`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    return { status: reply.status, body: await reply.json() };
  }

  it('is read as it says where a value of any form may stand', async () => {
    const [ada, ben] = [await node().person(), await node().person()];
    for (const [name, text] of vectors) {
      const rest = `},${JSON.stringify({ ...ada.signed, provider: ben.did }).slice(1)}`;
      const { status, body } = await send(
        Buffer.concat([Buffer.from('{"terms":{"value":'), bytesOf(text), Buffer.from(rest)]),
      );
      expect(status, `${name}: ${body.detail}`).to.equal(isTaken(name) ? 201 : 400);
      if (status === 201) {
        ada.nonce += 1;
        expect(body.terms.value, name).to.deep.equal(JSON.parse(bytesOf(text).toString()));
      } else {
        expect(body.code, name).to.equal('INVALID_REQUEST');
        expect(body.detail, name).to.include(refused[name] ?? '');
      }
    }
  });

  it('is refused as a whole body, since none is what the operation takes', async () => {
    for (const [name, text] of vectors) {
      const { status, body } = await send(bytesOf(text));
      expect([status, body.code], name).to.deep.equal([400, 'INVALID_REQUEST']);
    }
  });
});
