/** Many simultaneous health checks are answered while other requests are costly. */
import net from 'node:net';
import { expect } from 'chai';
import { realEnvironment } from '../../src/core/environment.js';
import { request, route, sampleRoutes, start, stopAll } from './support.js';

const costMs = 4;
const costlyConnections = 20;
const costlyEach = 40;
const checks = 20;

describe('http: requests that cost a lot', () => {
  afterEach(stopAll);

  it('leave pipelined health checks of another address their turns', async () => {
    let done = 0;
    const costly = route({
      method: 'GET',
      path: '/api/v1/costly',
      handle: () => {
        const until = realEnvironment.monotonic() + costMs;
        while (realEnvironment.monotonic() < until);
        done += 1;
        return { status: 200, body: {} };
      },
    });
    const at = await start([...sampleRoutes, costly]);
    const open = async (localAddress: string) => {
      const socket = net.connect({ port: at.port, host: '127.0.0.1', localAddress });
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      return socket;
    };
    const greedy = await Promise.all(Array.from({ length: costlyConnections }, () => open('127.0.0.6')));
    const honest = await open('127.0.0.7');
    for (const socket of greedy) socket.resume().write(request('GET /api/v1/costly', at.port).repeat(costlyEach));
    let text = '';
    const answered = new Promise<number>((resolve) => {
      honest.on('data', (chunk) => {
        text += chunk;
        if (text.split('HTTP/1.1 200').length - 1 === checks) resolve(done);
      });
    });
    honest.write(request('GET /healthz', at.port).repeat(checks));
    // One costly request for each check, and those that had begun before.
    expect(await answered).to.be.below((costlyConnections * costlyEach) / 4);
    for (const socket of [...greedy, honest]) socket.destroy();
  });
});
