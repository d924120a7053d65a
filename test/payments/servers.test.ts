/** Sales in servers of Node.js, Express and Koa, and in several processes (docs/payments.md#sell-an-api-to-agents). */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import express from 'express';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import type { HeldKey } from '../../packages/client/src/index.js';
import { type ReceivedPayment, SaleError, sell, usedIn } from '../../packages/payments/src/index.js';
import { proofHeader } from '../../packages/payments/src/messages.js';
import { dayMs } from '../../src/core/bounds.js';
import { PaymentMarket, rejection } from './support/market.js';
import { paidByHand, refusalOf, show } from './support/proofs.js';

type Serving = (payment: ReceivedPayment) => { readonly status: number; readonly text: string } | Promise<never>;

function event() {
  let happens!: () => void;
  const happened = new Promise<void>((resolve) => {
    happens = resolve;
  });
  return { happens, happened };
}

describe('A sale', () => {
  let market: PaymentMarket;
  let key: HeldKey;
  before(async () => {
    market = await PaymentMarket.open();
    key = await market.key(1_000);
  });
  after(() => market.close());

  /** By server: makes one whose POST /deep/path is sold. */
  const servers: { readonly [name: string]: (url: string, serve: Serving) => RequestListener } = {
    'node:http': (url, serve) =>
      sell(market.offer(url)).http(async (_, response, payment) => {
        const { status, text } = await serve(payment);
        response.writeHead(status, { 'x-own': 'yes' }).end(text);
      }),
    Express: (url, serve) => {
      const app = express().disable('x-powered-by');
      const sold = express
        .Router()
        .post('/path', sell(market.offer(url)).express, express.json(), (request, response, next) => {
          Promise.resolve(request.payment!)
            .then(serve)
            .then(({ status, text }) => response.status(status).set('x-own', 'yes').type('text').send(text))
            .catch(next);
        });
      app.use('/deep', sold);
      app.use((_error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
        response.status(500).end();
      });
      return app;
    },
    Koa: (url, serve) => {
      const app = new Koa();
      app.silent = true;
      app.use(sell(market.offer(url)).koa).use(bodyParser());
      app.use(async (context) => {
        const { status, text } = await serve(context.state.payment);
        context.set('x-own', 'yes');
        context.status = status;
        context.body = text;
      });
      return app.callback();
    },
  };

  async function serverOf(name: string, serve: Serving, onClose = () => {}): Promise<string> {
    let listener: RequestListener;
    const url = await market.serve((request, response) => {
      if (request.headers[proofHeader.toLowerCase()]) response.once('close', onClose);
      listener(request, response);
    });
    listener = servers[name]!(url, serve);
    return `${url}/deep/path`;
  }

  for (const name of Object.keys(servers)) {
    describe(`with ${name}`, () => {
      const body = '{"place":"here"}';
      const posted = { method: 'POST', body, headers: { 'content-type': 'application/json' } };

      it('asks for the price, serves what is paid, and repeats its answer', async () => {
        const payments: ReceivedPayment[] = [];
        const url = await serverOf(name, (payment) => {
          payments.push(payment);
          return { status: 201, text: `warm for ${String(payment.body)}` };
        });
        const proof = await paidByHand(market, { url, key, method: 'POST', body });
        for (let asked = 0; asked < 2; asked++) {
          const answer = await show(url, proof, posted);
          expect([answer.status, answer.headers.get('x-own'), await answer.text()]).to.deep.equal([
            ...[201, 'yes', `warm for ${body}`],
          ]);
          expect(answer.headers.get('cache-control')).to.equal('private, no-store');
          expect(answer.headers.get('vary')?.toUpperCase()).to.include(proofHeader);
        }
        const eventHash = proof.payload.entry.event.hash;
        expect(payments.map(({ body: _, ...rest }) => rest)).to.deep.equal([{ payer: key.did, amount: 2, eventHash }]);
      });

      it('serves again what has failed', async () => {
        let fails = true;
        const url = await serverOf(name, async () => {
          if (fails) throw new SaleError('planted');
          return { status: 200, text: 'warm' } as never;
        });
        const proof = await paidByHand(market, { url, key, method: 'POST', body });
        expect((await show(url, proof, posted)).status).to.equal(500);
        fails = false;
        expect(await (await show(url, proof, posted)).text()).to.equal('warm');
      });

      it('gives its answer to a buyer whose connection broke while it was made', async () => {
        const [begun, closed, allowed] = [event(), event(), event()];
        let served = 0;
        const url = await serverOf(
          name,
          async () => {
            served++;
            begun.happens();
            await allowed.happened;
            return { status: 200, text: 'warm' } as never;
          },
          () => closed.happens(),
        );
        const proof = await paidByHand(market, { url, key, method: 'POST', body });
        const broken = new AbortController();
        const first = rejection(show(url, proof, { ...posted, signal: broken.signal }));
        await begun.happened;
        broken.abort();
        await Promise.all([first, closed.happened]);
        const second = show(url, proof, posted);
        allowed.happens();
        expect(await (await second).text()).to.equal('warm');
        expect(served).to.equal(1);
      });
    });
  }

  it('survives buyers that hang up, and a mark that cannot be written', async () => {
    const cut = event();
    const used = { claim: () => Promise.reject(new SaleError('no space is left')), release: async () => {} };
    let listener: RequestListener;
    const url = await market.serve((request, response) => {
      if (request.method === 'POST') response.once('close', () => cut.happens());
      listener(request, response);
    });
    listener = sell(market.offer(url, { used })).http((_, response) => response.end('sold'));
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc', () => socket.destroy());
    await cut.happened;
    const proof = await paidByHand(market, { url, key });
    expect((await show(url, proof)).status).to.equal(500);
    expect((await fetch(url)).status).to.equal(402);
  });

  it('takes back the mark of a payment once, however often the server ends its answer', async () => {
    const clock = { now: Date.now() };
    const answers: ServerResponse[] = [];
    let listener: RequestListener;
    const url = await market.serve((request, response) => listener(request, response));
    const { used } = market.offer(url);
    let releases = 0;
    const release = (...mark: [string, number]) => {
      releases++;
      return used.release(...mark);
    };
    const counted = { claim: used.claim, release };
    listener = sell(market.offer(url, { now: () => clock.now, used: counted })).http((_, response) => {
      answers.push(response);
      response.statusCode = answers.length === 1 ? 500 : 200;
      response.end(`answer ${answers.length}`);
    });
    const proof = await paidByHand(market, { url, key });
    expect((await show(url, proof)).status).to.equal(500);
    expect(await (await show(url, proof)).text()).to.equal('answer 2');
    answers[0]!.end();
    expect(releases).to.equal(1);
    clock.now += 2 * 60_000;
    expect(await refusalOf(url, proof)).to.include('has been used');
  });

  it('breaks off an answer that fails midway, and does not repeat it', async () => {
    let listener: RequestListener;
    const url = await market.serve((request, response) => listener(request, response));
    listener = sell(market.offer(url)).http(async (_, response) => {
      await new Promise((resolve) => response.write('half of ', resolve));
      throw new SaleError('planted');
    });
    const proof = await paidByHand(market, { url, key });
    await rejection(show(url, proof).then((answer) => answer.text()));
    expect(await refusalOf(url, proof)).to.include('has been used');
  });

  it('waits for an answer that takes long', async () => {
    const clock = { now: Date.now() };
    const [begun, allowed] = [event(), event()];
    let listener: RequestListener;
    const url = await market.serve((request, response) => listener(request, response));
    listener = sell(market.offer(url, { now: () => clock.now })).http(async (_, response) => {
      begun.happens();
      await allowed.happened;
      response.end('at last');
    });
    const proof = await paidByHand(market, { url, key });
    const first = show(url, proof);
    await begun.happened;
    clock.now += 10 * 60_000;
    const second = show(url, proof);
    // By then it has most likely come.
    for (let other = 0; other < 3; other++) await fetch(url);
    allowed.happens();
    expect(await Promise.all([first, second].map(async (answer) => (await answer).text()))).to.deep.equal([
      ...['at last', 'at last'],
    ]);
  });

  it('with Koa serves again what it could not send, and finds the URL that was called', async () => {
    const [begun, closed, allowed] = [event(), event(), event()];
    let served = 0;
    const app = new Koa();
    app.silent = true;
    let url = '';
    app.use((context, next) => {
      context.url = context.url.slice('/deep'.length);
      return next();
    });
    app.use((context, next) => sale.koa(context, next));
    app.use(async (context) => {
      served++;
      begun.happens();
      await allowed.happened;
      if (served === 1) context.body = Readable.from(['stream']);
      else if (served === 2) throw new SaleError('planted');
      else context.body = 'warm';
    });
    const callback = app.callback();
    url = await market.serve((request, response) => {
      if (request.headers[proofHeader.toLowerCase()]) response.once('close', () => closed.happens());
      callback(request, response);
    });
    const sale = sell(market.offer(url));
    const proof = await paidByHand(market, { url: `${url}/deep/path`, key });
    const broken = new AbortController();
    const first = rejection(show(`${url}/deep/path`, proof, { signal: broken.signal }));
    await begun.happened;
    broken.abort();
    await Promise.all([first, closed.happened]);
    allowed.happens();
    expect((await show(`${url}/deep/path`, proof)).status).to.equal(500);
    expect(await (await show(`${url}/deep/path`, proof)).text()).to.equal('warm');
    expect(served).to.equal(3);
  });

  it('is told when it stands behind what parses bodies', async () => {
    const url = await market.serve((request, response) => {
      request
        .on('data', () => {})
        .once('end', () => {
          sell(market.offer('http://x')).express(request, response, (error) => {
            response.writeHead(error instanceof SaleError ? 418 : 200).end();
          });
        });
    });
    expect((await fetch(url, { method: 'POST', body: 'x' })).status).to.equal(418);
  });

  it('is made of what can work', () => {
    const made = (more: object) => () => sell(market.offer('https://x', more));
    for (const wrong of [
      { amount: 0 },
      { amount: 1.5 },
      { payTo: 'me' },
      { home: 'x' },
      { secret: 'short' },
      { secondsToPay: 0 },
      { url: 'x' },
      { url: 'https://x/' },
      { url: 'https://X' },
      { url: 'https://x:443' },
      { description: 'x'.repeat(2_000) },
    ])
      expect(made(wrong), JSON.stringify(wrong)).to.throw(SaleError);
    expect(made({})).to.not.throw();
  });

  it('in two processes that share what is used serves a payment once', async () => {
    const folder = join(market.folder, 'shared');
    const { used: _, ...offer } = market.offer('http://shop.example');
    const script = fileURLToPath(new URL('support/shop-process.js', import.meta.url));
    const processes: ChildProcess[] = [1, 2].map(() => fork(script, [JSON.stringify(offer), folder]));
    try {
      const ports = await Promise.all(processes.map(async (each) => (await once(each, 'message'))[0]));
      const [first] = ports.map((port) => `http://127.0.0.1:${port}`);
      const proofs = [];
      for (let count = 0; count < 5; count++) {
        // Both are one shop, behind a balancer.
        const asked = { method: 'GET', url: 'http://shop.example/', via: first! };
        proofs.push(await paidByHand(market, { ...asked, key }));
      }
      for (const proof of proofs) {
        const answers = await Promise.all(
          ports.map(async (port) => (await show(`http://127.0.0.1:${port}/`, proof)).status),
        );
        expect(answers.sort()).to.deep.equal([200, 402]);
      }
    } finally {
      for (const each of processes) {
        const exit = once(each, 'exit');
        each.disconnect();
        await exit;
      }
    }
  });

  it('forgets which payments were used once they are too old to be served', async () => {
    const folder = join(market.folder, 'old');
    const used = usedIn(folder);
    const now = 100 * dayMs;
    const mark = (name: string, at: number) => used.claim(name.repeat(64), at);
    expect(await mark('a', now)).to.equal(true);
    expect(await mark('a', now)).to.equal(false);
    await mark('b', now + 3 * dayMs);
    expect(readdirSync(folder).sort()).to.deep.equal(['100', '103']);
    await mark('c', now + 4 * dayMs);
    expect(readdirSync(folder).sort()).to.deep.equal(['103', '104']);
    expect(await usedIn(folder).claim('b'.repeat(64), now + 3 * dayMs)).to.equal(false);
  });
});
