/** The console's files over HTTP: headers, encodings, methods; without a build, a clear message. */
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { consoleRoutes } from '../../src/http/routes/console.js';
import { readConsole } from '../../src/http/routes/console-files.js';
import { problemIn, start, stopAll } from './support.js';

describe('the console’s files', () => {
  after(stopAll);
  let url: string;
  before(async () => {
    ({ url } = await start(consoleRoutes()));
  });

  const get = (path: string, headers: { [name: string]: string } = {}, method = 'GET') =>
    fetch(url + path, { headers: { 'Accept-Encoding': 'identity', ...headers }, method });
  const script = async (): Promise<string> =>
    /\/console\/assets\/[^"]+\.js/.exec(await (await get('/console')).text())![0];

  it('are a page that allows nothing but what the node serves', async () => {
    const reply = await get('/console');
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(reply.headers.get('cache-control')).to.equal('no-cache');
    const policy = reply.headers.get('content-security-policy')!;
    expect(policy).to.match(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
    expect(policy).to.contain("img-src 'self' data:; require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).to.not.match(/unsafe|http|\*/);
    const text = await reply.text();
    expect(text).to.not.match(/<script(?![^>]* src="\/console\/assets\/)|<style|\son\w+=|https?:/);
  });

  it('have their hash in their name and are kept for ever', async () => {
    const reply = await get(await script());
    expect(reply.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    expect(reply.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    const again = await get(await script(), { 'If-None-Match': reply.headers.get('etag')! });
    expect(again.status).to.equal(304);
  });

  it('are sent in the best coding that is accepted', async () => {
    const path = await script();
    const plain = await (await get(path)).text();
    const coding = async (accepted: string) => {
      const reply = await get(path, { 'Accept-Encoding': accepted });
      expect(await reply.text(), accepted).to.equal(plain);
      expect(reply.headers.get('vary')).to.equal('Accept-Encoding');
      return reply.headers.get('content-encoding');
    };
    expect(await coding('gzip, deflate, br')).to.equal('br');
    expect(await coding('gzip;q=0.5, br;q=0')).to.equal('gzip');
    expect(await coding('identity')).to.equal(null);
    const file = (await readConsole()).get(path.replace('/console/', ''))!;
    const gzip = file.coded.find(([name]) => name === 'gzip')!;
    expect(gunzipSync(gzip[1]).toString()).to.equal(plain);
  });

  it('answer HEAD, refuse other methods, and lead nowhere else', async () => {
    const head = await get('/console', {}, 'HEAD');
    expect([head.status, Number(head.headers.get('content-length')) > 0, await head.text()]).to.deep.equal([
      200,
      true,
      '',
    ]);
    await problemIn(await get('/console', {}, 'POST'), { code: 'METHOD_NOT_ALLOWED', url });
    for (const path of [
      '/console/assets/none.js',
      '/console/assets/..%2Findex.html',
      '/console/assets/..%2f..%2fpackage.json',
    ]) {
      await problemIn(await get(path), { code: 'NOT_FOUND', url });
    }
  });

  it('say so where they were not built', async () => {
    const { url: bare } = await start(consoleRoutes(async () => readConsole('/nowhere')));
    await problemIn(await fetch(`${bare}/console`), { code: 'NOT_FOUND', url: bare, detail: /not built/ });
  });
});
