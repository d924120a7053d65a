/** Health, metrics, error pages, and the OpenAPI document. */
import { expect } from 'chai';
import { codes } from '../../src/core/refusal.js';
import { openApiOf } from '../../src/http/openapi/openapi.js';
import { type Readiness, systemRoutes } from '../../src/http/routes/system.js';
import { errorClasses } from '../../src/http/server/error-codes.js';
import { Metrics } from '../../src/http/server/metrics.js';
import type { Route } from '../../src/http/server/route.js';
import { problemIn, type Started, sampleRoutes, start, stopAll } from './support.js';

describe('http: system routes', () => {
  let at: Started;
  let state: Readiness;
  const html = { headers: { accept: 'text/html,application/xhtml+xml' } };

  before(async () => {
    const metrics = new Metrics({ process: true });
    metrics.gauge('svc_height', 'test', () => 42);
    metrics.gauges('svc_by_kind', 'test', 'kind', () => [['escrow', 3]]);
    const api = sampleRoutes.filter(({ path }) => path.startsWith('/api'));
    const routes: Route[] = [
      ...api,
      ...systemRoutes({
        version: '1.2.3',
        network: 'devnet',
        metrics,
        readiness: () => state,
        routes: () => routes,
        urls: () => at.http.urls(),
      }),
    ];
    at = await start(routes, { metrics });
  });
  after(stopAll);

  it('/healthz answers', async () => {
    expect(await (await fetch(`${at.url}/healthz`)).json()).to.deep.equal({ status: 'ok' });
  });

  it('/readyz is 200 ready or degraded, 503 unavailable', async () => {
    for (const status of ['ready', 'degraded'] as const) {
      state = { status, reasons: status === 'ready' ? [] : ['the chain is away'], durability: 'fsync' };
      const reply = await fetch(`${at.url}/readyz`);
      expect([reply.status, await reply.json()]).to.deep.equal([200, state]);
    }
    state = { status: 'unavailable', reasons: ['the store is away'] };
    await problemIn(await fetch(`${at.url}/readyz`), {
      code: 'SERVICE_UNAVAILABLE',
      url: at.url,
      instance: '/readyz',
      detail: /^the store is away$/,
    });
  });

  it('/metrics has requests, process, event loop and what was registered', async () => {
    const reply = await fetch(`${at.url}/metrics`);
    expect(reply.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    const text = await reply.text();
    for (const name of [
      'svc_http_requests_total',
      'svc_http_request_duration_seconds_bucket',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(text).to.contain(name);
    }
    expect(text).to.contain('svc_height 42').and.contain('svc_by_kind{kind="escrow"} 3');
  });

  /** The page of the guide to which the explanation leads people. */
  async function placeOf(name: string): Promise<string> {
    const page = await fetch(`${at.url}/errors/${name}`, html);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    return page.text();
  }

  it('/errors explains every type that a problem can have', async () => {
    const { errors } = await (await fetch(`${at.url}/errors`)).json();
    expect(errors.map(({ type }: { type: string }) => type)).to.have.members(
      [...new Set(Object.values(codes).map(([, suffix]) => suffix))].map((suffix) => `${at.url}/errors/${suffix}`),
    );
    for (const suffix of Object.keys(errorClasses)) {
      const explained = await (await fetch(`${at.url}/errors/${suffix}`)).json();
      expect(explained).to.have.all.keys('type', 'constant', 'title', 'meaning', 'advice', 'codes');
      expect(await placeOf(suffix))
        .to.contain(`<h3 id="type-${suffix}">`)
        .and.contain(explained.title);
    }
    await problemIn(await fetch(`${at.url}/errors/nonsense`), { code: 'NOT_FOUND', url: at.url });
    const list = await fetch(`${at.url}/errors`, { ...html, redirect: 'manual' });
    expect([list.status, list.headers.get('location')]).to.deep.equal([302, '/guide/generated.errors']);
    expect(list.headers.get('vary')).to.equal('Accept');
  });

  it('/errors/<code> explains every code, with a problem document that has it', async () => {
    for (const [code, [status, suffix]] of Object.entries(codes)) {
      const explained = await (await fetch(`${at.url}/errors/${code}`)).json();
      expect(explained).to.include({ code, status, type: `${at.url}/errors/${suffix}` });
      for (const said of ['meaning', 'advice', 'title'])
        expect(explained[said], code).to.be.a('string').that.is.not.empty;
      expect(explained.example).to.include({ code, status, type: explained.type, title: explained.title });
      const { constant } = await (await fetch(`${at.url}/errors/${suffix}`)).json();
      expect(explained.example.error).to.deep.equal({ code: constant, message: explained.example.detail });
      expect(await placeOf(code)).to.contain(`<h3 id="${code.toLowerCase()}">`);
    }
  });

  it('the type of a problem is the address of its explanation', async () => {
    const problem = await problemIn(await fetch(`${at.url}/nowhere`), { code: 'NOT_FOUND', url: at.url });
    expect((await fetch(problem.type)).status).to.equal(200);
  });

  it('pages allow no inline code and nothing from elsewhere, and contain none', async () => {
    for (const path of ['/docs', '/guide', '/errors/conflict']) {
      const page = await fetch(at.url + path, html);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).to.contain("default-src 'none'").and.not.contain('unsafe');
      const text = await page.text();
      expect(text).to.not.match(/<script(?![^>]* src=)|<style| style=| on[a-z]+=|https?:\/\//);
    }
  });

  it('the root and pages with a slash behind them lead to their pages, others do not', async () => {
    const led = async (path: string, method = 'GET') => {
      const { status, headers } = await fetch(at.url + path, { method, redirect: 'manual' });
      return [status, headers.get('location')];
    };
    for (const [path, page] of [
      ['/', '/console'],
      ['/console/', '/console'],
      ['/docs/', '/docs'],
    ] as const) {
      expect(await led(path)).to.deep.equal([302, page]);
      expect(await led(path, 'HEAD')).to.deep.equal([302, page]);
      expect((await led(path, 'POST'))[0], `POST ${path}`).to.be.oneOf([404, 405]);
      expect((await fetch(at.url + path)).headers.get('content-type')).to.contain('text/html');
      expect((await fetch(at.url + path, { headers: { 'x-api-key': 'wrong' } })).status).to.equal(401);
    }
    expect(await led('/docs//')).to.deep.equal([404, null]);
    expect(await led('/metrics/')).to.deep.equal([404, null]);
  });

  it('the description is served with an entity tag', async () => {
    const reply = await fetch(`${at.url}/openapi.json`);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const headers = { 'if-none-match': reply.headers.get('etag') ?? '' };
    expect((await fetch(`${at.url}/openapi.json`, { headers })).status).to.equal(304);
  });

  it('/openapi.json describes each route once, with parameters, body, scope and failures', async () => {
    const api = await (await fetch(`${at.url}/openapi.json`)).json();
    expect(api.openapi).to.equal('3.1.0');
    expect(api.info.version).to.equal('1.2.3');
    const { get, post } = api.paths['/api/v1/things'];
    expect(get.parameters.map(({ name }: { name: string }) => name)).to.deep.equal(['limit', 'name']);
    expect(get.parameters[0]).to.deep.include({ in: 'query', required: false });
    expect(post['x-scope']).to.equal('write');
    expect(post.responses).to.include.keys('200', '400', '401', '403', '413', '415', '429', '500', '503');
    const one = api.paths['/api/v1/things/{id}'].get;
    expect(one.parameters).to.deep.equal([
      { name: 'id', in: 'path', required: true, description: 'Id of the resource.', schema: { type: 'string' } },
    ]);
    expect(one.responses).to.include.keys('404');
    const checked = api.paths['/api/v1/checked'].post.requestBody;
    expect(checked.required).to.equal(true);
    const { $ref } = checked.content['application/json'].schema;
    expect(api.components.schemas[$ref.split('/').at(-1)].required).to.deep.equal(['amount']);
    expect(api.paths['/api/v1/node'].get.security).to.deep.include({});
    expect(api.paths['/api/v1/things'].get.security).to.not.deep.include({});
    for (const reference of JSON.stringify(api).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = reference[1]!.split('/').reduce((at: Record<string, never> | undefined, name) => at?.[name], api);
      expect(found, reference[1]).to.be.an('object');
    }
    const names = Object.values(api.paths).flatMap((path) =>
      Object.values(path as object).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).to.equal(names.length);
  });

  it('on mainnet nothing under /api goes without a key', () => {
    const { paths } = openApiOf(sampleRoutes, { version: '1', network: 'mainnet' });
    expect(paths['/api/v1/node']?.get?.security).to.deep.equal([{ apiKey: [] }, { bearer: [] }]);
    expect(paths['/healthz']?.get?.security).to.deep.include({});
  });
});
