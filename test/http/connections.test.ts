/** Limits on connections per address, and which connections are closed when there are too many. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { bounds } from '../../src/core/bounds.js';
import { realEnvironment } from '../../src/core/environment.js';
import { Origins } from '../../src/http/access/origins.js';
import { until } from '../support/until.js';
import { request, route, sampleRoutes, start, stopAll } from './support.js';

describe('http: connections of an address', () => {
  afterEach(() => {
    sinon.restore();
    return stopAll();
  });

  it('are bounded: the longest idle ones are closed, and a health check gets through', async () => {
    const at = await start();
    // On a busy machine the first would be closed for their slowness before the last is open.
    at.http.server.headersTimeout = 0;
    const more = 20;
    const closed = sinon.spy();
    const sockets: net.Socket[] = [];
    for (let index = 0; index < bounds.connectionsOfLoopback + more; index++) {
      const socket = net.connect(at.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.once('close', closed);
      sockets.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    expect((await fetch(`${at.url}/healthz`)).status).to.equal(200);
    await until('they are closed', () => closed.callCount >= more);
    expect(closed.callCount).to.be.within(more, more + 2);
    expect(sockets.slice(0, more).every(({ destroyed, readableEnded }) => destroyed || readableEnded)).to.equal(true);
    for (const socket of sockets) socket.destroy();
  });

  it('when all are busy there is a reserve for one request each, of which the oldest go; idle ones are kept shorter', async () => {
    const handle = sinon.spy(() => new Promise<never>(() => {}));
    const held = route({ method: 'GET', path: '/api/v1/held', handle });
    const at = await start([...sampleRoutes, held]);
    const { server } = at.http;
    server.headersTimeout = 0;
    expect(server.keepAliveTimeout).to.equal(bounds.keepAliveMs);
    const open = async (localAddress: string, text = request('GET /api/v1/held', at.port)) => {
      const socket = net.connect({ port: at.port, host: '127.0.0.1', localAddress });
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(text);
      return socket;
    };
    const busy: net.Socket[] = [];
    const rare = bounds.connections * bounds.connectionsRareShare;
    while (busy.length < bounds.connections) {
      if (busy.length === rare) expect(server.keepAliveTimeout).to.equal(bounds.keepAliveMs);
      const address = `127.0.0.${2 + Math.floor(busy.length / (bounds.connectionsOfLoopback - 1))}`;
      const some = Math.min(50, bounds.connections - busy.length);
      busy.push(...(await Promise.all(Array.from({ length: some }, () => open(address)))));
    }
    await until('idle ones are kept shorter', () => server.keepAliveTimeout === bounds.keepAliveRareMs);
    // Each connection needs an active request, because an idle one would be closed.
    await until('all are in work', () => handle.callCount >= bounds.connections);

    const checked = await open('127.0.0.9', request('GET /healthz', at.port));
    const [answer] = (await once(checked, 'data')) as [Buffer];
    expect(String(answer)).to.match(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s);

    const gone = sinon.spy();
    const brief: net.Socket[] = [];
    for (let i = 0; i < bounds.connectionsReserve + 3; i++) {
      const socket = await open('127.0.0.9', 'GET /healthz HTTP/1.1\r\n');
      socket.resume().once('close', () => gone(i));
      brief.push(socket);
    }
    await until('the oldest go', () => gone.callCount >= 3);
    expect(gone.args.flat()).to.deep.equal([0, 1, 2]);
    expect(busy.filter(({ destroyed }) => destroyed)).to.deep.equal([]);
    for (const socket of [...busy, ...brief]) socket.destroy();
    await until('idle ones are kept as long as before', () => server.keepAliveTimeout === bounds.keepAliveMs);
  });

  it('of one address are as many as the configuration says, without those of trusted proxies', async () => {
    const { remoteEnd } = Origins.prototype;
    let trusted = false;
    sinon.stub(Origins.prototype, 'remoteEnd').callsFake(function (this: Origins, socket) {
      return { ...remoteEnd.call(this, socket), origin: '10.0.0.1', loopback: false, trusted };
    });
    const handle = sinon.spy(() => new Promise<never>(() => {}));
    const held = route({ method: 'GET', path: '/held', open: true, handle });
    const at = await start([held], { variables: { SVC_CONNECTIONS_PER_ADDRESS: '2' } });
    const busy = async () => {
      const socket = net.connect(at.port, '127.0.0.1');
      socket.on('error', () => {});
      const closed = once(socket, 'close').then(() => 'closed');
      socket.resume().write(request('GET /held', at.port));
      const calls = handle.callCount;
      return Promise.race([closed, until('it is in work', () => handle.callCount > calls).then(() => 'in work')]);
    };
    expect([await busy(), await busy(), await busy()]).to.deep.equal(['in work', 'in work', 'closed']);
    trusted = true;
    expect(await busy()).to.equal('in work');
  });

  it('are busy while their requests wait for a turn: an idle one goes for a newcomer, whatever its age', async () => {
    const { remoteEnd } = Origins.prototype;
    const remote = { origin: '10.0.0.1', loopback: false };
    sinon.stub(Origins.prototype, 'remoteEnd').callsFake(function (this: Origins, socket) {
      return { ...remoteEnd.call(this, socket), ...remote };
    });
    // Turns end only when the test says so.
    const turns: (() => void)[] = [];
    let isHeld = false;
    const after = (ms: number, call: () => void) => {
      if (ms > 0 || !isHeld) return realEnvironment.after(ms, call);
      turns.push(call);
      return { cancel: () => {} };
    };
    const handle = sinon.spy(() => new Promise<never>(() => {}));
    const held = route({ method: 'GET', path: '/held', open: true, handle });
    const at = await start([...sampleRoutes, held], { world: { ...realEnvironment, after } });
    const closed: number[] = [];
    const open = async (index: number) => {
      const socket = net.connect(at.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume().once('close', () => closed.push(index));
      await once(socket, 'connect');
      return socket;
    };
    const sockets: net.Socket[] = [];
    while (sockets.length < bounds.connectionsPerAddress) sockets.push(await open(sockets.length));
    const [asks, waits] = sockets as [net.Socket, net.Socket];
    asks.write(request('GET /held', at.port));
    await until('the first is in work', () => handle.callCount === 1);
    isHeld = true;
    // The turn of this request begins, and ends only when the test says so.
    asks.write(request('GET /held', at.port));
    await until('the second is in work', () => handle.callCount === 2);
    await wait(2 * bounds.turnMs);
    const answered = once(waits, 'data');
    waits.write(request('GET /healthz', at.port));
    await wait(200);
    sockets.push(await open(sockets.length), await open(sockets.length + 1));
    await until('two are closed', () => closed.length === 2);
    expect(closed).to.deep.equal([2, 3]);
    isHeld = false;
    for (const next of turns.splice(0)) next();
    expect(String((await answered)[0])).to.match(/^HTTP\/1\.1 200 /);
    // Its request is answered, so it is the newest idle connection.
    sockets.push(await open(sockets.length));
    await until('a third is closed', () => closed.length === 3);
    expect(closed).to.deep.equal([2, 3, 4]);
    for (const socket of sockets) socket.destroy();
  });

  it('that asks too much are closed with the 429', async () => {
    const at = await start(undefined, { variables: { SVC_RATE_LIMIT_LOOPBACK: 'on' } });
    const replies = await Promise.all(Array.from({ length: 310 }, () => fetch(`${at.url}/healthz`)));
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited).to.have.length(10);
    for (const { headers } of limited) expect(headers.get('connection')).to.equal('close');
  });
});
