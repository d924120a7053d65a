/** Webhook URLs that would make the node connect within its own network: none leads to a connection. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { tidy } from '../support/scratch.js';
import { Target } from './support/target.js';

/** Spellings of 127.0.0.1, ::1 and their neighbours; PORT is where a trap listens. */
const urls: readonly string[] = [
  ...[
    '127.0.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    '127.1',
    '127.0.1',
    '0',
    '0.0.0.0',
    '2130706433',
  ],
  ...['0x7f000001', '0x7f.1', '0177.1', '017700000001', '127.000.000.001', '127.255.255.254', '[::1]', '[::]'],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
  ],
  ...[
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    'user@127.0.0.1',
    'example.org@127.0.0.1',
    '127.0.0.1#@example.org',
    '127.0.0.1\\@example.org',
  ],
  ...['169.254.169.254', 'metadata.google.internal', '10.0.0.1', '192.168.0.1', '[fd00:ec2::254]'],
].map((host) => (host.includes('#') || host.includes('\\') ? `http://${host}` : `http://${host}:PORT/`));
const odd = [
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_x',
  'http:/127.0.0.1:PORT/',
  'http:127.0.0.1:PORT',
  '//127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\r\nHost: x/',
];

describe('Receivers of webhooks inside the network', () => {
  let target: Target;
  let trap: net.Server;
  let caught = 0;

  before(async () => {
    trap = net.createServer((socket) => {
      caught++;
      socket.destroy();
    });
    trap.listen(0, '127.0.0.1');
    await once(trap, 'listening');
    target = await Target.start();
  });
  after(async () => {
    trap?.close();
    await target?.stop();
    await tidy();
  });

  it('are refused, or never reached', async () => {
    const admin = target.client.keyed(await target.boundlessKey());
    const { port } = trap.address() as AddressInfo;
    let refused = 0;
    const made: string[] = [];
    for (const template of [...urls, ...odd]) {
      const reply = await admin.post('/api/v1/webhooks', { url: template.replaceAll('PORT', String(port)) });
      expect(reply.status, `${template}: ${reply.text.slice(0, 200)}`).to.be.oneOf([201, 400]);
      if (reply.status === 400) refused++;
      else made.push(reply.body.id);
    }
    // A webhook that was accepted is tried now, without waiting for an event.
    await Promise.all(made.map((id) => admin.post(`/api/v1/webhooks/${id}/actions/test`)));
    for (const id of made) {
      const { deliveries } = expectStatus(await admin.get(`/api/v1/webhooks/${id}/deliveries`));
      for (const { status } of deliveries) expect(status, id).to.not.equal('delivered');
    }
    process.stdout.write(
      `      ${urls.length + odd.length} URLs: ${refused} refused, ${made.length} made and never reached\n`,
    );
    expect(refused).to.be.at.least(30);
    expect(caught, 'connections to 127.0.0.1').to.equal(0);
  });
});
