/** No secret is logged. */
import { expect } from 'chai';
import { createLog } from '../../src/core/log.js';

describe('http: log', () => {
  const logged = (write: (log: ReturnType<typeof createLog>) => void): string => {
    const lines: string[] = [];
    write(createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } }));
    return lines.join('');
  };

  it('redacts secrets by name, three levels deep', () => {
    const text = logged((log) => {
      log.info({ passphrase: 'hunter2', body: { passphrase: 'hunter2', key: 'hunter2' } });
      log.info({ req: { headers: { authorization: 'hunter2', 'x-api-key': 'hunter2', accept: 'seen' } } });
      log.warn({ request: { body: { contentKeyHex: 'hunter2', accessToken: 'hunter2' } } });
    });
    expect(text).to.not.contain('hunter2');
    expect(text).to.contain('[secret]').and.contain('seen');
  });

  it('redacts API keys inside texts and stacks', () => {
    const key = `svck_${'A'.repeat(43)}`;
    const text = logged((log) => log.error({ err: new TypeError(`no ${key}`) }, `again ${key}`));
    expect(text).to.not.contain(key);
    expect(text).to.contain('svck_[secret]');
  });

  it('is silent by default', () => {
    expect(createLog().level).to.equal('silent');
  });
});
