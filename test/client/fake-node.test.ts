/** `svc-node/fake-node`: the node that other people's unit tests use. */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { ApiError } from '../../packages/client/src/index.js';
import { type FakeNode, FundingRefused, fakeNode } from '../../packages/fake-node/src/index.js';
import { dayMs } from '../../src/core/bounds.js';

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  );

const foldersOfNodes = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('svc-fake-node-'));

describe('A fake node', () => {
  const opened: FakeNode[] = [];
  const open = async (options?: Parameters<typeof fakeNode>[0]): Promise<FakeNode> => {
    const node = await fakeNode(options);
    opened.push(node);
    return node;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((node) => node.close()));
  });

  it('answers as a devnet node does, refusals too', async () => {
    const node = await open();
    const { network, did, store } = await node.client.node.status();
    expect({ network, did, kind: store.kind }).to.deep.equal({ network: 'devnet', did: node.did, kind: 'memory' });
    const [ada, ben] = [await node.person(5), await node.person()];
    const refused = await rejection(ada.wallets.transfer({ to: ben.did!, amount: 6 }));
    expect(refused).to.be.instanceOf(ApiError).that.includes({ status: 402, refusal: 'INSUFFICIENT_BALANCE' });
    await ada.wallets.transfer({ to: ben.did!, amount: 5 });
    expect((await node.client.wallets.get(ben.did!)).balance).to.equal(5);
    const entries = await node.client.events.list({ issuer: ada.did! });
    expect(entries.events.map(({ event }) => event.type)).to.deep.equal(['transfer.sent']);
  });

  it('starts when the test says, and acts on deadlines before `advance` resolves', async () => {
    const node = await open({ now: Date.UTC(2030, 0, 1) });
    const [ada, ben] = [await node.person(10), await node.person()];
    const rules = { beneficiary: ben.did!, releaseRules: [{ type: 'manual' as const }], autoFund: true };
    const expiresAt = node.now() + dayMs;
    const { escrowId, createdAt } = await ada.escrows.create({ ...rules, amount: 10, expiresAt });
    expect(createdAt).to.be.within(Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 1) + dayMs / 2);
    await node.advance(dayMs / 2);
    expect((await ada.escrows.get(escrowId)).status).to.equal('funded');
    await node.advance(dayMs);
    expect((await ada.escrows.get(escrowId)).status).to.equal('expired');
    expect((await ada.wallets.get(ada.did!)).balance).to.equal(10);
  });

  it('shares nothing with another', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    expect(one.did).to.not.equal(other.did);
    const ada = await one.person(7);
    expect((await one.client.wallets.supply()).supply).to.equal(7);
    expect((await other.client.wallets.supply()).supply).to.equal(0);
    const unknown = await rejection(other.client.identities.get(ada.did!));
    expect(unknown).to.include({ status: 404 });
  });

  it('gives Tokens without the limits of the faucet, and says what it can’t fund', async () => {
    const node = await open();
    const ada = await node.person();
    for (const tokens of [1_000_000, 1_000_000]) await node.fund(ada.did!, tokens);
    expect((await node.client.wallets.get(ada.did!)).balance).to.equal(2_000_000);
    expect(await rejection(node.fund('ada', 1))).to.be.instanceOf(FundingRefused);
    expect(await rejection(node.fund(ada.did!, -1))).to.be.instanceOf(FundingRefused);
  });

  it('leaves nothing: neither a folder nor a port', async () => {
    const before = foldersOfNodes();
    const node = await open();
    const [folder] = foldersOfNodes().filter((name) => !before.includes(name));
    expect(folder).to.be.a('string');
    await node.close();
    expect(existsSync(`${tmpdir()}/${folder}`)).to.equal(false);
    expect(await rejection(fetch(node.url))).to.be.instanceOf(TypeError);
  });
});
