/**
 * Single values: numbers, texts, DIDs, times, and JSON that is kept unchanged.
 */

import { isJsonObject, type Json, type JsonObject } from '../canonical.js';
import { parseAccount } from '../codecs/address.js';
import { parseDid } from '../codecs/did.js';
import { fromText, make, rule, type Scalar } from './pair.js';

export const maxTokens = Number.MAX_SAFE_INTEGER;

export const integer = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Scalar<number> =>
  make(
    rule('integer', (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum && value <= maximum
        ? true
        : `must be an integer from ${minimum} to ${maximum}`,
    ),
    { type: 'integer', minimum, maximum },
  );

/** Tokens: an integer from 1 to 2^53-1. */
export const amount = integer(1);

export const decimal = (minimum: number, maximum: number): Scalar<number> =>
  make(
    rule('number', (value) =>
      typeof value === 'number' && value >= minimum && value <= maximum
        ? true
        : `must be a number from ${minimum} to ${maximum}`,
    ),
    { type: 'number', minimum, maximum },
  );

export const boolean: Scalar<boolean> = make(
  rule('boolean', (value) => (typeof value === 'boolean' ? true : 'must be true or false')),
  { type: 'boolean' },
);

/** Text, its length counted in Unicode code points. */
export const text = (maximum: number, minimum = 0): Scalar<string> =>
  make(
    rule('string', (value) => {
      if (typeof value !== 'string') return 'must be a string';
      if (value.length < minimum)
        return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`;
      if (value.length <= maximum) return true;
      return value.length > 2 * maximum || [...value].length > maximum
        ? `must have at most ${maximum} characters`
        : true;
    }),
    { type: 'string', minLength: minimum, maxLength: maximum },
  );

export const pattern = (regex: RegExp, says: string): Scalar<string> =>
  make(
    rule('string', (value) => (typeof value === 'string' && regex.test(value) ? true : `must be ${says}`)),
    { type: 'string', pattern: regex.source },
  );

/** A place in the journal: the number of an entry, or an id of the event stream, which has 8 digits of its chain hash. */
export const place: Scalar<number | string> = make(
  rule('place', (value) =>
    ['number', 'string'].includes(typeof value) && /^\d{1,16}(\.[0-9a-f]{8})?$/.test(String(value))
      ? true
      : 'must be the number of an entry, or an id of the event stream',
  ),
  { type: ['integer', 'string'], minimum: 0, pattern: '^\\d{1,16}(\\.[0-9a-f]{8})?$' },
);

export const hash = pattern(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits');

/** An EVM address; routes verify the checksum of a mixed-case one. */
export const evmAddress = pattern(/^0x[0-9a-fA-F]{40}$/, 'an EVM address: 0x and 40 hexadecimal digits');

/** An id that a caller may choose (docs/reference/requests.md#identifiers). */
export const chosenId = (prefix = ''): Scalar<string> =>
  make(
    rule('id', (value) =>
      typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(value) && value.startsWith(prefix)
        ? true
        : `must be 1 to 128 of A-Z a-z 0-9 . _ : - ${prefix ? `and start with ${prefix}` : 'and start with a letter or digit'}`,
    ),
    { type: 'string', pattern: `^${prefix || '[A-Za-z0-9]'}[A-Za-z0-9._:-]*$`, maxLength: 128 },
  );

export const oneOf = <const T extends readonly string[]>(...values: T): Scalar<T[number]> =>
  make(
    rule('enumeration', (value) => (values.includes(value as string) ? true : `must be one of ${values.join(', ')}`)),
    { type: 'string', enum: values },
  );

/** A DID in either spelling; normalised on input. Fails as DID_INVALID. */
export const did: Scalar<string> = make(
  fromText(
    rule('DID', (value) =>
      typeof value === 'string' && value.length < 128 && parseDid(value) === value
        ? true
        : 'must be a DID: did:svc:z + base58btc of an Ed25519 public key',
    ),
    (value) => (value.length < 128 ? (parseDid(value) ?? value) : value),
  ),
  {
    type: 'string',
    pattern: '^did:svc:z[1-9A-HJ-NP-Za-km-z]+$',
    examples: ['did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH'],
  },
  { code: 'DID_INVALID' },
);

/**
 * A DID or an account address, normalised to the DID. A text that begins like a DID but is invalid fails as
 * DID_INVALID.
 */
export const account: Scalar<string> = make(
  fromText(
    rule('account', (value) =>
      typeof value === 'string' && value.length < 128 && parseDid(value) === value
        ? true
        : 'must be a DID or an account address (svc1…)',
    ),
    (value) => (value.length < 128 ? (parseAccount(value) ?? value) : value),
  ),
  { type: 'string', pattern: '^(did:svc:z|svc1)[1-9A-HJ-NP-Za-km-z]+$' },
  { code: (text) => (text.startsWith('did:') ? 'DID_INVALID' : 'INVALID_REQUEST') },
);

const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(10_000, 0, 1) - 1;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Needed because Date.parse reads 30 February as 2 March. */
function isCalendarDay(value: string): boolean {
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** A time: ISO 8601 with an offset, or epoch milliseconds; normalised to epoch milliseconds. */
export const time: Scalar<number> = make(
  fromText(
    rule('time', (value) => {
      if (typeof value !== 'number' || !Number.isSafeInteger(value))
        return 'must be an ISO 8601 time with offset (2027-01-31T12:00:00Z) or epoch milliseconds';
      return (
        (value >= earliest && value <= latest) ||
        'must be in the years 2000 to 9999; as a number in epoch milliseconds, not seconds'
      );
    }),
    (value) => (isoTime.test(value) && isCalendarDay(value) ? Date.parse(value) : value),
  ),
  { type: ['integer', 'string'], format: 'date-time', description: 'ISO 8601 with an offset, or epoch milliseconds.' },
);

export const freeObject: Scalar<JsonObject> = make(
  rule('object', (value) => (isJsonObject(value) ? true : 'must be an object')),
  { type: 'object', additionalProperties: true },
);

export const anything: Scalar<Json> = make(
  rule('value', (value) => (value === undefined ? 'is required' : true)),
  {},
);
