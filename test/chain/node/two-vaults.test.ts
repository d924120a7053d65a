/**
 * Two homes on one chain, each with its own vault of one Token: what they hold at each other is topped up by a deposit and
 * withdrawn by a remote request, and vaults and audits agree with both ledgers.
 */
import { expect } from 'chai';
import { accountKey } from '../../../src/chain/contracts/contract-reader.js';
import { type ContractName, interfaceOf } from '../../../src/chain/contracts/interfaces.js';
import type { Hex } from '../../../src/chain/evm/evm.js';
import type { ChainFacts } from '../../../src/chain/verifier/chain-facts.js';
import { runHere } from '../../cli/support/here.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Person } from '../../node/support/person.js';
import { acquaint, discard, Home } from '../../peers/nodes/network.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { contractCall } from '../support/contract-call.js';
import { PublicChain } from '../support/public-chain.js';
import { richSender, type Sender } from '../support/sender.js';
import { expectNodeSettled, settled, vaultCall } from '../support/settled-node.js';

(anvilBinary() === undefined ? describe.skip : describe)('two homes with their vaults on one chain', function () {
  this.timeout(90_000);
  let chains: readonly PublicChain[] = [];
  let homes: readonly Home[] = [];
  let [a, b] = homes as [Home, Home];
  /** A resident of each home. */
  let [ada, ben] = [] as unknown as [Person, Person];
  /** The operators’ account outside of both vaults. */
  let purse: Sender;

  before(async () => {
    const chain = await PublicChain.start();
    chains = [chain, await chain.neighbour()];
    homes = await Promise.all(chains.map((each) => Home.start({ variables: each.variables() })));
    [a, b] = homes as [Home, Home];
    await acquaint(homes);
    purse = await richSender(
      () => chain.evm,
      (address, wei) => chain.anvil.give(address, wei),
    );
    for (const { node } of homes) await settled(node);
    [ada, ben] = [await a.node.rich(500), await b.node.rich(200)];
    // A DID lives where it has signed an event.
    await ada.pays(a.did, 1);
    await ben.pays(b.did, 1);
    await b.sees(a);
  });
  after(async () => {
    await discard(homes);
    await chains[0]?.stop();
    await tidy();
  });

  const call = async (contract: ContractName, method: string, ...args: unknown[]) => {
    const [{ contracts }] = chains as [PublicChain];
    const receipt = await purse.mined(...(await contractCall(contracts, contract, method, args)));
    expect(receipt.succeeded, method).to.equal(true);
  };
  const inPurse = async (): Promise<number> => {
    const [{ contracts, evm }] = chains as [PublicChain];
    const abi = await interfaceOf('ServiceToken');
    const data = abi.encodeFunctionData('balanceOf', [purse.address]) as Hex;
    return Number(abi.decodeFunctionResult('balanceOf', await evm.call({ to: contracts.token as Hex, data }))[0]);
  };
  /** Deposits Tokens of the purse in the vault of home A for home B. */
  async function topsUp(amount: number): Promise<void> {
    const before = await heldBy(b, a);
    await call('ServiceToken', 'approve', chains[0]!.contracts.vault, amount);
    await call('LedgerVault', 'deposit', accountKey(b.did), amount);
    await until('the deposit is credited', () => heldBy(b, a), { is: (held) => held === before + amount });
    await b.sees(a);
  }
  const heldBy = async ({ did }: Home, at: Home): Promise<number> => (await at.get(`/wallets/${did}`)).availableBalance;
  const withdraws = (who: Home, from: Home, amount: number, to: string, ...more: readonly string[]) =>
    runHere(['peers', 'withdraw', from.did, String(amount), '--to', to, ...more, '--data', who.node.dir]);

  it('pay for trade in one direction again and again with the same Tokens', async () => {
    const brought = await ben.does(`/api/v1/wallets/${ben.did}/actions/withdraw`, { amount: 60, to: purse.address });
    expect(brought).to.include({ status: 'confirmed' });
    await topsUp(60);
    for (const round of [1, 2]) {
      // More than half of what was deposited: the second round is paid with the Tokens that have come back.
      await ben.pays(ada.did, 40);
      expect([await heldBy(b, a), await heldBy(a, b)], `round ${round}`).to.deep.equal([20, 40]);
      await a.sees(b);
      const key = ['--idempotency-key', `round-${round}`];
      const { code, stderr } = await withdraws(a, b, 40, purse.address, ...key);
      expect(stderr).to.match(/has accepted rem-\w+: its vault pays 40 Tokens to 0x/);
      expect(stderr).to.include(
        `Repeated with ${key.join(' ')}, the command shows this withdrawal and sends no other.`,
      );
      expect(code).to.equal(0);
      const again = await withdraws(a, b, 40, purse.address, ...key);
      expect(again.stderr).to.match(/has accepted rem-\w+, sent by an earlier command with this key and not again:/);
      expect(await heldBy(a, b)).to.equal(0);
      await until('the vault has paid', inPurse, { is: (tokens) => tokens === 40, longestMs: 20_000 });
      await topsUp(40);
    }
    expect(await inPurse()).to.equal(0);
  });

  it('refuse to pay a contract of the ledger', async () => {
    const { code, stderr } = await withdraws(b, a, 5, chains[0]!.contracts.vault);
    expect(stderr).to.match(
      /has refused the withdrawal rem-\w+: to: .* a contract of the ledger itself .*\(UNPROCESSABLE\)/,
    );
    expect(code).to.equal(1);
    expect(await heldBy(b, a)).to.equal(60);
  });

  it('agree with their vaults, in the audit as well', async () => {
    for (const [home, other] of [
      [a, b],
      [b, a],
    ] as const) {
      await home.sees(other);
      expect(await expectNodeSettled(home.node)).to.be.above(5);
      const { evm, contracts } = home.node.running.chain!;
      const [available] = await vaultCall(evm!, contracts!.vault, 'accountOf', [accountKey(other.did)]);
      expect(Number(available)).to.equal(await heldBy(other, home));
      const supply = await home.get('/supply');
      expect(supply).to.include({ balanced: true });
      expect(supply.chain).to.include({ owed: supply.supply, waiting: 0 });
      const { ok, flaw, trade } = await home.auditPeers((await home.operator('chain')) as unknown as ChainFacts);
      expect({ ok, flaw }).to.deep.equal({ ok: true, flaw: undefined });
      const [sent] = trade.filter(({ from }) => from === b.did);
      expect(sent).to.include({ accepted: 2, refused: 1, open: 0, paid: 80, unseen: 0 });
    }
    expectStatus(await a.node.client.get('/readyz'));
  });
});
