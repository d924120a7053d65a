import bs58 from 'bs58';
import { expect } from 'chai';
import sinon from 'sinon';
import { addressOf } from '../../src/core/codecs/address.js';
import { publicKeyOf } from '../../src/core/codecs/did.js';
import { isRefusal } from '../../src/core/refusal.js';
import * as is from '../../src/core/schema/scalar.js';
import { ada } from '../world/people.js';

const most = Number.MAX_SAFE_INTEGER;
/** The same key without the two multicodec bytes. */
const bare = `did:svc:z${bs58.encode(publicKeyOf(ada))}`;
const hash = 'ab'.repeat(32);

/** Accepted and refused values of each scalar. A pair `[in, out]` is normalised. */
const table: { readonly [name: string]: [scalar: is.Scalar<unknown>, good: unknown[], bad: unknown[]] } = {
  amount: [is.amount, [1, 2, most], [0, -1, 1.5, most + 1, Number.NaN, Infinity, '1', null, true, [1]]],
  'integer 2 to 4': [is.integer(2, 4), [2, 3, 4], [1, 5, 2.5, '3']],
  'decimal 0 to 1': [is.decimal(0, 1), [0, 0.5, 1], [-0.1, 1.1, Number.NaN, '0.5', null]],
  boolean: [is.boolean, [true, false], [0, 1, 'true', null]],
  'text of 2 to 4': [is.text(4, 2), ['ab', 'abcd', '🦀🦀🦀🦀', 'éé'], ['a', 'abcde', '🦀🦀🦀🦀🦀', 7, null]],
  'text of 1 at least': [is.text(4, 1), ['a'], ['']],
  hash: [is.hash, [hash], [hash.toUpperCase(), hash.slice(1), `${hash}a`, `${hash}\n`, 'g'.repeat(64), 1]],
  'a chosen id': [
    is.chosenId(),
    ['a', '0', 'A-b_c.d:e', 'x'.repeat(128)],
    ['', '-a', '.a', '_a', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(129), 7, null],
  ],
  'a chosen id with prefix': [is.chosenId('lst-'), ['lst-1', 'lst-'], ['lst1', 'ord-1', '1lst-']],
  'one of two': [is.oneOf('read', 'write'), ['read', 'write'], ['Read', 'admin', '', 0, null]],
  did: [is.did, [ada, [bare, ada]], ['', 'did:svc:z', `${ada}1`, ada.replace('svc', 'web'), addressOf(ada), 7, null]],
  account: [is.account, [ada, [bare, ada], [addressOf(ada), ada]], ['', 'svc1', `${addressOf(ada)}1`, 'ada', 7]],
  time: [
    is.time,
    [
      946_684_800_000,
      253_402_300_799_999,
      ['2026-01-02T03:04:05.678Z', 1_767_323_045_678],
      ['2026-01-02T03:04Z', 1_767_323_040_000],
      ['2028-02-29T00:00Z', 1_835_395_200_000],
      ['2026-01-02T03:04:05+02:00', 1_767_315_845_000],
    ],
    [
      946_684_799_999,
      253_402_300_800_000,
      1.5,
      '2026-01-02',
      '2026-01-02T03:04:05',
      '2026-13-02T03:04:05Z',
      '2026-02-29T03:04:05Z',
      '2026-04-31T03:04:05Z',
      '2026-01-00T03:04:05Z',
      '2026-01-02T25:00:00Z',
      'now',
      '1767323045678',
      '',
      null,
    ],
  ],
  'free object': [is.freeObject, [{}, { a: { b: [1] } }], [[], null, 'x', 1]],
  anything: [is.anything, [null, 0, '', [], {}, false], [undefined]],
  'list of 1 to 2': [is.list(is.amount, 1, 2), [[1], [1, 2]], [[], [1, 2, 3], [0], ['1'], 1, {}, null]],
  object: [
    is.object({ a: is.amount, b: is.optional(is.boolean) }),
    [{ a: 1 }, { a: 1, b: true }, [{ a: 1, c: 2, __proto__: null }, { a: 1 }]],
    [{}, { b: true }, { a: 1, b: 1 }, { a: 1, b: null }, [], null, 'x'],
  ],
  'open object': [is.openObject({ a: is.amount }), [{ a: 1 }, { a: 1, c: 2 }], [{}, { a: 0, c: 2 }, [], null]],
  nullable: [is.nullable(is.amount), [null, 1], [0, undefined]],
  refined: [is.refined(is.text(9), (text) => text.startsWith('x') || 'must start with x'), ['x1'], ['y1', 1]],
};

describe('scalars', () => {
  for (const [name, [scalar, good, bad]] of Object.entries(table)) {
    it(`${name}: takes what it should, normalised`, () => {
      for (const each of good) {
        const isPair = Array.isArray(each) && each.length === 2 && name !== 'list of 1 to 2';
        const [given, wanted] = isPair ? each : [each, each];
        expect(is.parse(scalar, given), JSON.stringify(given)).to.deep.equal(wanted);
      }
    });

    it(`${name}: refuses what it should`, () => {
      for (const each of bad) {
        expect(isRefusal(is.parse(scalar, each)), JSON.stringify(each) ?? String(each)).to.equal(true);
      }
    });
  }
});

describe('what a refusal says', () => {
  const body = is.object({
    amount: is.amount,
    did: is.optional(is.did),
    list: is.optional(is.list(is.object({ at: is.time }))),
  });
  const refusal = (value: unknown) => {
    const result = is.parse(body, value);
    if (!isRefusal(result)) return expect.fail('it was to be refused');
    return result;
  };

  it('names the field in detail, and every offending one in errors', () => {
    const { code, detail, extras } = refusal({ amount: -1, list: [{ at: 1 }, { at: 'x' }] });
    expect(code).to.equal('INVALID_REQUEST');
    expect(detail).to.match(/^amount: must be an integer from 1/);
    expect(extras.errors?.map(({ field }) => field)).to.deep.equal(['amount', 'list.0.at', 'list.1.at']);
  });

  it('a missing field is said to be required', () => {
    expect(refusal({}).extras.errors).to.deep.equal([{ field: 'amount', message: 'is required' }]);
  });

  it('names twenty fields at most', () => {
    const list = Array.from({ length: 50 }, () => ({ at: 'x' }));
    expect(refusal({ amount: 1, list }).extras.errors).to.have.length(20);
  });

  it('a list that is too long is refused without a look at its elements', () => {
    const look = sinon.fake.returns(true as const);
    const element = is.refined(is.anything, look);
    const long = is.parse(is.object({ list: is.list(element, 0, 3) }), { list: Array(1_000).fill(0) });
    expect(long).to.deep.include({ code: 'INVALID_REQUEST', detail: 'list: must have 0 to 3 elements' });
    sinon.assert.notCalled(look);
    const flaws = Array(1_000).fill({ at: 'x' });
    expect(refusal({ amount: 1, list: flaws }).extras.errors?.map(({ field }) => field)).to.deep.equal(['list']);
  });

  it('a body that is no object is the body’s fault', () => {
    for (const value of [null, [], 'x', 7]) expect(refusal(value).extras.errors?.[0]?.field).to.equal('body');
  });

  it('DID_INVALID on a text that is no DID', () => {
    expect(refusal({ amount: 1, did: 'did:svc:zNope' }).code).to.equal('DID_INVALID');
    expect(refusal({ amount: 1, did: `${ada}x` }).code).to.equal('DID_INVALID');
  });

  it('INVALID_REQUEST on a DID of the wrong type or an empty one, as the Errors table says', () => {
    for (const did of ['', 7, null, {}]) {
      expect(refusal({ amount: 1, did }).code, JSON.stringify(did)).to.equal('INVALID_REQUEST');
    }
  });
});

describe('members that a schema does not know', () => {
  it('are dropped, inherited ones never looked at', () => {
    const scalar = is.object({ a: is.optional(is.amount), inner: is.optional(is.object({ b: is.amount })) });
    const value = Object.create({ a: 5 }) as object;
    expect(is.parse(scalar, Object.assign(value, { x: 1, inner: { b: 1, y: 2 } }))).to.deep.equal({ inner: { b: 1 } });
  });

  it('are kept by an open object, and by a free one', () => {
    const scalar = is.object({ open: is.openObject({ a: is.amount }), free: is.freeObject });
    const value = { open: { a: 1, b: { c: 1 } }, free: { d: 1 } };
    expect(is.parse(scalar, value)).to.deep.equal(value);
  });
});

describe('secrets', () => {
  const scalar = is.object({
    open: is.text(9),
    passphrase: is.secret(is.text(9)),
    inner: is.object({ open: is.text(9), key: is.secret(is.text(9)) }),
    keys: is.optional(is.list(is.object({ id: is.text(9), key: is.secret(is.text(9)) }))),
    tokens: is.optional(is.list(is.secret(is.text(9)))),
    maybe: is.optional(is.secret(is.text(9))),
  });

  it('are taken out of the input, nested ones, too', () => {
    const input = { open: 'o', passphrase: 'p', inner: { open: 'i', key: 'k' } };
    const [open, secrets] = is.splitSecrets(scalar.fields!, input);
    expect(open).to.deep.equal({ open: 'o', inner: { open: 'i' } });
    expect(secrets).to.deep.equal({ passphrase: 'p', inner: { key: 'k' } });
  });

  it('are taken out of lists, too', () => {
    const input = {
      open: 'o',
      keys: [
        { id: '1', key: 'k' },
        { id: '2', key: 'l' },
      ],
      tokens: ['t'],
      maybe: 'm',
    };
    const [open, secrets] = is.splitSecrets(scalar.fields!, input);
    expect(JSON.stringify(open)).to.equal('{"open":"o","keys":[{"id":"1"},{"id":"2"}]}');
    expect(secrets).to.deep.equal({ keys: [{ key: 'k' }, { key: 'l' }], tokens: ['t'], maybe: 'm' });
  });

  it('stand in no refusal, whatever is sent in their place', () => {
    const everything = is.object({
      ...scalar.fields,
      list: is.secret(is.list(is.text(9))),
      open: is.openObject({ key: is.secret(is.text(9)) }),
      free: is.secret(is.freeObject),
      rule: is.variant('type', ['a'], { known: is.openObject({ type: is.text(9) }), other: is.openObject({}) }),
      count: is.secret(is.integer(1)),
      flag: is.secret(is.boolean),
      one: is.secret(is.oneOf('a', 'b')),
      did: is.secret(is.did),
      time: is.secret(is.time),
    } as is.Fields);
    const hidden = 'a very long hidden text';
    for (const wrong of [hidden, [hidden], { passphrase: hidden }, { key: [hidden] }]) {
      const names = Object.keys(everything.fields!);
      const result = is.parse(everything, Object.fromEntries(names.map((name) => [name, wrong])));
      if (!isRefusal(result)) return expect.fail('it was to be refused');
      expect(JSON.stringify([result.detail, result.extras])).not.to.include('hidden');
    }
  });

  it('are marked in the schema', () => {
    const { properties } = scalar.schema as { properties: { [name: string]: object } };
    expect(properties.passphrase).to.deep.include({ writeOnly: true });
    expect(properties.open).to.not.have.property('writeOnly');
  });
});

describe('the JSON Schema of a struct', () => {
  it('says what the struct checks', () => {
    expect(is.amount.schema).to.deep.equal({ type: 'integer', minimum: 1, maximum: most });
    expect(is.text(4, 2).schema).to.deep.equal({ type: 'string', minLength: 2, maxLength: 4 });
    expect(is.list(is.boolean, 1, 2).schema).to.deep.include({ type: 'array', minItems: 1, maxItems: 2 });
    expect(is.object({ a: is.amount, b: is.optional(is.boolean) }).schema).to.deep.include({ required: ['a'] });
    expect(is.nullable(is.amount).schema).to.deep.equal({ type: ['integer', 'null'], minimum: 1, maximum: most });
  });
});
