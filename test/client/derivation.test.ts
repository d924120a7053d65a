import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  bidKind,
  Client,
  capabilityListingKind,
  contractKind,
  disputeKind,
  escrowKind,
  infoListingKind,
  infoOrderKind,
  type KindShape,
  leaseKind,
  taskListingKind,
  taskOrderKind,
} from '../../packages/client/src/index.js';
import { everyRoute, network } from '../../scripts/generate/routes.js';
import { version } from '../../src/core/version.js';
import { openApiOf } from '../../src/http/openapi/openapi.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { shapeOf } from './support/shape.js';

const kinds: readonly KindShape[] = [
  escrowKind,
  infoOrderKind,
  infoListingKind,
  taskListingKind,
  capabilityListingKind,
  leaseKind,
  contractKind,
  disputeKind,
  bidKind,
  taskOrderKind,
];

describe('client: kinds', () => {
  for (const definition of machinesOf(catalogue)) {
    it(`${definition.kind} is what its definition says`, () => {
      expect(kinds.find(({ kind }) => kind === definition.kind)).to.deep.equal(shapeOf(definition));
    });
  }

  it('name the id in paths as in create', () => {
    for (const { create, route } of machinesOf(catalogue)) expect(route.param).to.equal(create.idField);
  });
});

/** `x` for every parameter of a path. */
const places = (path: string | null): object =>
  path === null ? {} : Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, 'x']));

const everyMethod = (client: Client): Promise<unknown>[] => [
  client.node.status(),
  client.node.home('x'),
  client.node.peers(),
  client.node.evidence('x'),
  client.node.limitPeer('x', { tokens: 1 }),
  client.node.mirrorPeer('x'),
  client.node.config(),
  client.node.activity(),
  client.node.statistics(),
  client.identities.create('x'),
  client.identities.self(),
  client.identities.get('x'),
  client.identities.update('x', { document: {}, prevDocHash: 'x' }),
  client.identities.capabilities('x'),
  client.identities.registerCapability('x', { type: [], issuer: 'x', credentialSubject: {} }),
  client.identities.registerController('x', 'x'),
  client.identities.createApiKey('x', { passphrase: 'x' }),
  client.identities.apiKeys('x'),
  client.identities.apiKey('x', 'x'),
  client.identities.revokeApiKey('x', 'x'),
  client.reputations.get('x'),
  client.reputations.reviews('x'),
  client.reputations.review({ target: 'x', dimension: 'quality', score: 1, ref: 'x' }),
  client.search.all(),
  client.search.info(),
  client.search.tasks(),
  client.search.capabilities(),
  client.wallets.get('x'),
  client.wallets.transactions('x'),
  client.wallets.homes('x'),
  client.wallets.transfer({ to: 'x', amount: 1 }),
  client.batch([1, 2].map((amount) => (each: Client) => each.wallets.withdraw('x', { amount }))),
  client.wallets.withdraw('x', { amount: 1 }),
  client.wallets.nonce('x'),
  client.wallets.transaction('x'),
  client.wallets.supply(),
  client.wallets.list(),
  client.faucet.claim('x'),
  client.events.list(),
  client.events.get('x'),
  client.events.proof('x'),
  client.events.signed('x'),
  client.events.submit({ event: { hash: 'x' } } as never),
  client.events.stream({ after: 0 }).next(),
  client.information.content('x'),
  client.information.delivery('x'),
  client.information.open('x', { did: 'x', passphrase: 'x' }),
  client.leases.open('x', { did: 'x', passphrase: 'x' }),
  client.contracts.disputes('x'),
  client.bids.ofTask('x'),
  client.admin.freeze('x'),
  client.admin.unfreeze('x'),
  client.admin.withdrawFees({ to: 'x', amount: 1 }),
  client.admin.log(),
  client.admin.requests({ minStatus: 400 }),
  client.admin.leaves({ resource: 'escrow/x' }),
  client.admin.redact('x', { reason: 'x' }),
  client.admin.startAudit(),
  client.admin.audit(),
  client.admin.auditReports(),
  client.admin.auditReport('x'),
  client.admin.unlock('x', 'x'),
  client.admin.lock('x'),
  client.admin.apiKeys.create({ scope: 'read' }),
  client.admin.apiKeys.list(),
  client.admin.apiKeys.get('x'),
  client.admin.apiKeys.revoke('x'),
  client.admin.apiKeys.remove('x'),
  client.webhooks.create({ url: 'x' }),
  client.webhooks.list(),
  client.webhooks.get('x'),
  client.webhooks.deliveries('x'),
  client.webhooks.enable('x'),
  client.webhooks.disable('x'),
  client.webhooks.test('x'),
  client.webhooks.redeliver('x', 1),
  client.webhooks.rotateSecret('x'),
  client.webhooks.remove('x'),
  client.machines.list(),
  client.machines.get('x'),
  client.machines.history('x', 'x'),
  client.machines.permitted('x', 'x'),
  client.machines.state('x', 'x'),
  client.machines.proof('x', 'x'),
  client.identities.names(['x']),
  client.node.lookUp('x'),
  client.system.health(),
  client.system.readiness(),
  client.system.metrics(),
  client.system.errors(),
  client.system.error('x'),
  client.system.openApi(),
  ...kinds.flatMap((kind) => {
    const resource = client.resource(kind) as ReturnType<typeof client.resource> & {
      readonly [action: string]: (target: string, input: object) => Promise<unknown>;
    };
    const actions = Object.entries(kind.actions).map(
      ([action, where]) => resource[action]?.('x', places(where)) ?? expect.fail(action),
    );
    const created = kind.madeElsewhere ? [] : [resource.create(places(kind.createPath ?? null))];
    return [...created, resource.get('x'), resource.list(), ...actions];
  }),
];

/** For browsers; `system.page` reads them. */
const isPage = (path: string): boolean => /^\/(docs|console|guide)\b/.test(path);

describe('client: methods', () => {
  it('are there for every operation of /openapi.json that is no page, and for no other', async () => {
    const { paths } = openApiOf(everyRoute(), { version, network });
    const operations = Object.entries(paths)
      .filter(([path]) => !isPage(path))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, 'x')}`),
      );
    const asked = new Set<string>();
    const client = new Client({
      url: 'http://node.test',
      signer: { did: 'x', passphrase: 'x' },
      fetch: async (url, { method = 'GET' }) => {
        const { pathname } = new URL(url);
        asked.add(`${method} ${pathname}`);
        return pathname.endsWith('/stream') ? new Response('data: {"seq":1}\n\n') : Response.json({ nextNonce: 1 });
      },
    });
    await Promise.all(everyMethod(client));
    expect([...asked].sort()).to.deep.equal([...new Set(operations)].sort());
  });
});

describe('client: its files', () => {
  it('import nothing but each other when they run, so that they work in a browser', () => {
    const folder = fileURLToPath(new URL('../../packages/client/src/', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    expect(files).to.include('index.js');
    for (const file of files) {
      for (const [, from = ''] of readFileSync(join(folder, file), 'utf8').matchAll(/\bfrom '([^']+)'/g)) {
        expect(files, `${file} imports ${from}`).to.include(relative(folder, join(folder, dirname(file), from)));
      }
    }
  });
});
