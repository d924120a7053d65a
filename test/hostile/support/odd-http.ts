/** HTTP/1 messages that are right, nearly right or wrong, with their structure known, as bytes in Latin-1. */
import type { Random } from './random.js';

const lineEnds = ['\n', '\r', '\r\r\n', '\n\r\n', '', ' \r\n', '\0\r\n'];
const methods = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE'];
const oddMethods = ['TRACE', 'PRI', 'SOURCE', 'M-SEARCH', 'DESCRIBE', 'CONNECT', 'get', 'FOO', ''];
const spaces = ['  ', '\t', ' \t', '', '\r', ' \r\n ', '\0'];
const versions = ['HTTP/1.0', 'RTSP/1.0', 'ICE/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1 ', ''];
const headers = [
  ...[
    'A:',
    'A : b',
    'A: b\r\n c',
    'A: b\r\n ',
    ' A: b',
    ': b',
    'A',
    'x',
    ' ',
    '\t',
    'A: b\0',
    'A: \xff',
    'A: b\rc',
    'A\r: b',
  ],
  ...['Connection: close', 'Connection: keep-alive', 'Connection: upgrade', 'Upgrade: h2c', 'Expect: 100-continue'],
  ...['Content-Length:', 'Transfer-Encoding:', 'Content-Length: 0', 'content-length: 3', 'Transfer-Encoding: identity'],
  ...[
    'Content-Length : 4',
    'Content_Length: 3',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding: chunked',
    'A:\r\n ',
  ],
  ...['Content-Length:\r\n 3', 'Content-Length: 3\r\n 4', 'Transfer-Encoding:\r\n chunked', `A: ${'y'.repeat(17_000)}`],
];
const encodings = [
  ...[
    'Chunked',
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
    '',
    'chunked,',
    ',chunked',
    'xchunked',
    'chunkedx',
  ],
  ...[
    'chunked;x=y',
    'identity',
    'chunked\t',
    'chun ked',
    'x chunked',
    'chunked\r\n ',
    '"chunked"',
    'chunked\x0b',
    'chunked\xa0',
  ],
];
const extensions = [
  ...[';a', ';a="b c"', '; a=b', ' ;a', ';', ';a="\\""', ';a="\r\n"', ';a="b', ';\n', ';a=b\n', ';a=b\rX', ';a="\\\n"'],
  `;${'e'.repeat(17_000)}`,
];
const trailers = ['A: b', 'Content-Length: 5', 'Transfer-Encoding: gzip', 'A: b\r\n c', 'x', ' ', 'Connection: close'];
const specials = ['\r', '\n', '\r\n', ' ', ':', '\0', '0', '-', ';', 'x', '\t', '', ','];

const oddLengths = (n: number): string[] => [
  ...[`+${n}`, `0${n}`, `${n}, ${n}`, `${n} ${n}`, `-${n}`, `0x${n.toString(16)}`, '', `${n};`, `${n}e0`, `${n}.0`],
  ...[`${n + 1}`, `${Math.max(0, n - 1)}`, '18446744073709551616', '18446744073709551615', `\r\n ${n}`],
];
const oddSizes = (hex: string): string[] => [
  ...[
    hex.toUpperCase(),
    `000${hex}`,
    `-${hex}`,
    `+${hex}`,
    `0x${hex}`,
    ` ${hex}`,
    `${hex} `,
    '',
    'zz',
    '-6',
    `${hex}g`,
  ],
  ...['ffffffffffffffff', 'fffffffffffffffff', `${'0'.repeat(40)}${hex}`, `${hex}1`, `${hex}\0`],
];

export class OddHttp {
  #lastId = 0;

  /** @param oddity between 0 (all is right) and 1 */
  constructor(
    private readonly random: Random,
    private readonly oddity: number,
  ) {}

  /** A message whose target is unique among those of this object. */
  message(depth = 0): string {
    const { random } = this;
    const id = ++this.#lastId;
    // As long as the parser takes it.
    const target = `/r${id}-${random.chance(0.01) ? 'x'.repeat(16_000) : ''}`;
    const line = [
      this.#mostly(random.pick(methods), oddMethods, 0.04),
      this.#mostly(
        target,
        [`http://h${target}`, `r${id}-`, '*', `${target}\t`, `/\xe4r${id}-`, target.padEnd(17_000, 'x'), ''],
        0.04,
      ),
      this.#mostly('HTTP/1.1', versions, 0.08),
    ].reduce((before, part) => before + this.#mostly(' ', spaces, 0.02) + part);
    const { lines, body } = this.#body(id, depth);
    while (random.chance(0.25 * this.oddity)) lines.push(random.pick(headers));
    const emptyLine = this.#mostly('\r\n', [...lineEnds, 'x\n', '\t\n', ':\n', '\r\r', '\r\n\r'], 0.02);
    const before = this.#mostly('', ['\r\n', '\n', '\r', '\r\n\r\n', ' '], 0.06);
    const text =
      before +
      ['Host: x', ...lines].reduce((all, each) => all + this.#ended(each), this.#ended(line)) +
      emptyLine +
      body;
    if (!random.chance(0.06 * this.oddity)) return text;
    const at = random.below(text.length + 1);
    return text.slice(0, at) + random.pick(specials) + text.slice(at + random.below(3));
  }

  #body(id: number, depth: number): { lines: string[]; body: string } {
    const { random } = this;
    const kind = random.below(4);
    if (kind < 2) return { lines: [], body: '' };
    if (kind === 2) {
      const body = this.#content(id, depth);
      return { lines: [`Content-Length: ${this.#mostly(String(body.length), oddLengths(body.length), 0.08)}`], body };
    }
    const lines = [`Transfer-Encoding: ${this.#mostly('chunked', encodings, 0.12)}`];
    if (random.chance(0.05 * this.oddity))
      lines.push(`Transfer-Encoding: ${random.pick(['chunked', '', 'gzip', ','])}`);
    if (random.chance(0.02 * this.oddity)) lines.push(`Content-Length: ${random.below(30)}`);
    let body = '';
    for (let chunk = random.below(4); chunk > 0; chunk--) {
      const text = this.#content(id, depth) || 'q';
      const hex = text.length.toString(16);
      const size = this.#mostly(hex, oddSizes(hex), 0.06) + this.#mostly('', extensions, 0.1);
      body += this.#ended(size) + text + this.#mostly('\r\n', [...lineEnds, 'X\r\n', '\rX'], 0.02);
    }
    body += this.#ended(this.#mostly('0', ['00', '0;x', '0 ', '-0', '', '0x0', '0;x="y"'], 0.08));
    while (random.chance(0.2 * this.oddity)) body += this.#ended(random.pick(trailers));
    return { lines, body: body + this.#mostly('\r\n', [...lineEnds, 'X\r\n', 'X\n'], 0.03) };
  }

  #content(id: number, depth: number): string {
    const { random } = this;
    const contents = [
      () => '{}',
      () => 'x'.repeat(random.below(2_000)),
      () => `${'\r\n'.repeat(random.below(4))}0\r\n\r\n`,
      () => `GET  /b${id}- RTSP/1.0\r\nHost: x\r\n\r\n`,
      () => (depth < 2 ? this.message(depth + 1) : ''),
    ];
    return random.pick(contents)();
  }

  #ended(line: string): string {
    return line + this.#mostly('\r\n', lineEnds, 0.01);
  }

  #mostly(usual: string, odd: readonly string[], share: number): string {
    return this.random.chance(share * this.oddity) ? this.random.pick(odd) : usual;
  }
}

/** The bytes in pieces: whole, byte by byte, or cut anywhere and near the ends of lines. */
export function pieces(text: string, random: Random): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const kind = random.below(4);
  if (kind === 0) return [bytes];
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const cuts =
    kind === 1 && bytes.length < 1_000
      ? bytes.keys()
      : Array.from({ length: 1 + random.below(8) }, () =>
          kind === 2 ? random.below(bytes.length) : random.pick([...ends, 0]) - 2 + random.below(5),
        );
  const sorted = [...new Set(cuts)].filter((cut) => cut > 0 && cut < bytes.length).sort((one, other) => one - other);
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length));
}
