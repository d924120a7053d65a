/** Reads of the node's chain: moves by transaction, the supply next to the vault, and proofs of events. */
import { expect } from 'chai';
import { rootOf } from '../../src/chain/anchors/anchor.js';
import { parseProof, violationOfProof } from '../../src/chain/anchors/proof.js';
import { expectPage, expectProblem, expectStatus } from './support/answers.js';
import { FakeChain, txHash } from './support/chain.js';
import type { Body } from './support/client.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

describe('What a node returns about its chain', () => {
  const chain = new FakeChain();
  let node: TestNode;
  let ada: Person;
  let ben: Person;

  before(async () => {
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain } });
    [ada, ben] = [await node.rich(1_000), await node.person()];
  });
  beforeEach(() => {
    chain.verdict = 'confirmed';
  });
  after(() => node?.discard());

  const get = (path: string) => node.client.get(path);
  const read = async (path: string): Promise<Body> => expectStatus(await get(path));

  describe('GET /api/v1/transactions/{hash}', () => {
    const other = `0x${'cd'.repeat(32)}`;

    it('finds a move by the hash of its event', async () => {
      const sent = await ada.pays(ben.did, 5, { memo: 'thanks' });
      const found = await read(`/api/v1/transactions/${sent.eventHash}`);
      expect(found).to.include({ txHash, status: 'confirmed', blockNumber: 10, confirmations: 3, total: 1 });
      expectPage(found.pagination, { total: 1 });
      const { transactions } = found;
      expect(transactions).to.have.length(1);
      expect(transactions[0]).to.include({ ...sent, op: 'transfer', issuer: ada.did });
      chain.receipts.delete(sent.eventHash);
      expect(await read(`/api/v1/transactions/${sent.eventHash}`)).to.include({
        status: 'pending',
        txHash: `0x${sent.eventHash}`,
        blockNumber: null,
      });
    });

    it('finds all that one transaction settled, in order', async () => {
      const sent: Body[] = [];
      for (const amount of [1, 2, 3]) sent.push(await ada.pays(ben.did, amount));
      const rules = { beneficiary: ben.did, amount: 7, releaseRules: [{ type: 'manual' }] };
      const escrow = await ada.does('/api/v1/escrows', { ...rules, escrowId: 'esc-tx', autoFund: true });
      for (const { eventHash } of [sent[0]!, sent[2]!, escrow]) {
        const { entryHash, seq } = (await node.store.entryByEvent(eventHash))!;
        const receipt = { entryHash, seq, status: 'confirmed', txHash: other, blockNumber: 4 } as const;
        await node.store.appendReceipts([receipt]);
        chain.receipts.set(eventHash, { ...receipt, confirmations: 9 });
      }
      const found = await read(`/api/v1/transactions/${other}`);
      expect(found).to.include({ txHash: other, status: 'confirmed', blockNumber: 4, confirmations: 9, total: 4 });
      expect(found.transactions.map(({ op, amount }: Body) => [op, amount])).to.deep.equal([
        ['transfer', 1],
        ['transfer', 3],
        ['reserve', 7],
        ['lock', 7],
      ]);
      expect(found.transactions[3].escrowId).to.equal('esc-tx');
      const upper = `0x${other.slice(2).toUpperCase()}`;
      const page = await read(`/api/v1/transactions/${upper}?limit=2&offset=2`);
      expect(page.transactions.map(({ op }: Body) => op)).to.deep.equal(['reserve', 'lock']);
      expectPage(page.pagination, { total: 4, limit: 2, offset: 2, hasMore: false });
    });

    it('is 404 for what moved nothing or is unknown', async () => {
      const credential = {
        type: ['VerifiableCredential', 'CapabilityCredential'],
        issuer: ada.did,
        credentialSubject: { id: ada.did },
      };
      const { eventHash } = await ada.does(`/api/v1/identities/${ada.did}/capabilities`, { credential });
      for (const hash of [eventHash, 'a'.repeat(64), `0x${'a'.repeat(64)}`, 'x', '0x12', '%20']) {
        expectProblem(await get(`/api/v1/transactions/${hash}`), 'NOT_FOUND');
      }
    });
  });

  describe('GET /api/v1/supply', () => {
    const settleAll = async (): Promise<Body> => {
      const ledger = await node.store.totals();
      const held = { waiting: 4, heldBack: 2, tokenSupply: ledger.supply + 100, holdings: ledger.supply + 6 };
      chain.books = { ...chain.books, ...held, owed: ledger.supply, fees: ledger.fees };
      return ledger;
    };

    it('compares ledger and vault, and says that they agree', async () => {
      await ada.pays(ben.did, 5, { fee: 3 });
      const ledger = await settleAll();
      const found = await read('/api/v1/supply');
      expect(found).to.include({ ...ledger, network: 'devnet', balanced: true, seq: (await node.store.head()).seq });
      expect(found.available + found.reserved + found.escrowed + found.fees).to.equal(found.supply);
      expect(found.chain).to.deep.equal({
        ...{ kind: 'rpc', chainId: 7, blockNumber: 12, lag: 0 },
        ...chain.contracts,
        ...{ tokenSupply: ledger.supply + 100, holdings: ledger.supply + 6, owed: ledger.supply },
        ...{ fees: ledger.fees, waiting: 4, heldBack: 2 },
      });
    });

    it('says where they do not', async () => {
      await settleAll();
      const right = chain.books;
      for (const wrong of [
        { owed: right.owed - 1 },
        { fees: right.fees + 1 },
        { holdings: right.holdings - 1 },
        { waiting: 5 },
      ]) {
        chain.books = { ...right, ...wrong };
        expect((await read('/api/v1/supply')).balanced, JSON.stringify(wrong)).to.equal(false);
      }
      chain.books = { ...right, holdings: right.holdings + 1 };
      expect((await read('/api/v1/supply')).balanced, 'any account may send it Tokens').to.equal(true);
    });

    it('does not judge while operations are on their way', async () => {
      chain.books = { ...chain.books, owed: 1 };
      chain.lag = 3;
      const found = await read('/api/v1/supply');
      expect(found.balanced).to.equal(null);
      expect(found.chain.lag).to.equal(3);
      chain.lag = 0;
    });

    it('is 503 while the chain is away; without one it is the ledger alone', async () => {
      chain.verdict = 'away';
      expectProblem(await get('/api/v1/supply'), 'SERVICE_UNAVAILABLE');
      const alone = await TestNode.start();
      await alone.rich(7);
      expect(expectStatus(await alone.client.get('/api/v1/supply'))).to.include({
        ...{ supply: 7, available: 7, reserved: 0, escrowed: 0, fees: 0 },
        ...{ chain: null, balanced: null },
      });
      await alone.discard();
    });
  });

  describe('GET /api/v1/events/{hash}/proof', () => {
    it('is the entry alone until it is anchored, and then its way to the root', async () => {
      const { eventHash } = await ada.pays(ben.did, 1);
      const path = `/api/v1/events/${eventHash}/proof`;
      const before = await read(path);
      expect(before.anchor).to.equal(null);
      expect(before.entry.event.hash).to.equal(eventHash);
      const entries = await node.store.entries({ after: 0, limit: 100 });
      const root = rootOf(entries);
      const anchor = { firstEntry: 1, lastEntry: entries.length, root, txHash, blockNumber: 3 };
      chain.anchor = { anchor, chainId: 7, contract: chain.contracts.settlement };
      const proof = await read(path);
      expect(proof.anchor).to.include({ ...anchor, chainId: 7, contract: chain.contracts.settlement });
      const parsed = parseProof(proof);
      if (typeof parsed === 'string') expect.fail(parsed);
      expect(violationOfProof(parsed)).to.equal(undefined);
    });

    it('is 404 for an unknown event, 503 while the chain is away, 422 without one', async () => {
      expectProblem(await get(`/api/v1/events/${'a'.repeat(64)}/proof`), 'NOT_FOUND');
      expectProblem(await get('/api/v1/events/x/proof'), 'NOT_FOUND');
      const { eventHash } = await ada.pays(ben.did, 1);
      chain.verdict = 'away';
      expectProblem(await get(`/api/v1/events/${eventHash}/proof`), 'SERVICE_UNAVAILABLE');
      const alone = await TestNode.start();
      const cyd = await alone.rich(7);
      const { eventHash: other } = await cyd.pays(ben.did, 1);
      expectProblem(await alone.client.get(`/api/v1/events/${other}/proof`), 'UNPROCESSABLE');
      await alone.discard();
    });
  });
});
