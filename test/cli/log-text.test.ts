/** The log's text format on a terminal, and its colours. */
import { expect } from 'chai';
import { logText } from '../../src/cli/log-text.js';
import { asOk, hasColour, paint, toneOf } from '../../src/cli/terminal.js';
import { createLog } from '../../src/core/log.js';

describe('svc-node, the log on a terminal', () => {
  const lines: string[] = [];
  const log = createLog({
    level: 'debug',
    destination: { write: (line) => void lines.push(logText(line, (text) => text)) },
  });
  const last = () => lines.at(-1)!.replace(/^\d\d:\d\d:\d\d /, '');

  it('is a line for each record, with its members behind the message', () => {
    log.info({ url: 'http://127.0.0.1:1/x', ms: 3, what: 'two words' }, 'a request');
    expect(lines.at(-1)).to.match(/^\d\d:\d\d:\d\d info /);
    expect(last()).to.equal('info  a request url=http://127.0.0.1:1/x ms=3 what="two words"');
    log.warn({ passphrase: 'secret', note: 'key svck_abc' }, 'odd\u001b[2J');
    expect(last()).to.equal('warn  odd\ufffd[2J passphrase="[secret]" note="key svck_[secret]"');
  });

  it('shows the stack of an error, and text that is no record', () => {
    log.error({ err: Object.assign(new TypeError('broken'), { stack: 'TypeError: broken\n    at here' }) }, 'failed');
    expect(last()).to.equal('error failed\n    TypeError: broken\n    at here');
    expect(logText('plain\u0007\n', (text) => text)).to.equal('plain\ufffd');
  });

  it('has colour on a terminal, unless NO_COLOR says no', () => {
    expect(hasColour({ isTTY: true }, {})).to.equal(true);
    expect(hasColour({ isTTY: true }, { NO_COLOR: '1' })).to.equal(false);
    expect(hasColour({ isTTY: true }, { NO_COLOR: '', TERM: 'dumb' })).to.equal(false);
    expect(hasColour({}, {})).to.equal(false);
    const terminal = { isTTY: true };
    expect(asOk('OK: it holds.', terminal)).to.equal(`${paint('OK', 'good', terminal)}: it holds.`);
    expect(asOk('OK: it holds.', {})).to.equal('OK: it holds.');
    expect(['funded', 'created · lapsed', 'disputed', 'draft'].map(toneOf)).to.deep.equal([
      'good',
      'quiet',
      'trouble',
      undefined,
    ]);
  });
});
