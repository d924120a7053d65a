/** The tour as a program, with the client of openapi-generator (typescript-fetch). */
import {
  Configuration,
  ContractsApi,
  EscrowsApi,
  EventsApi,
  IdentityApi,
  MachinesApi,
  MarketInformationApi,
  MarketsSearchApi,
  MarketTasksApi,
  NodeApi,
  ResponseError,
  WalletsApi,
} from './generated/index';

const configuration = new Configuration({ basePath: process.argv[2]! });
const passphrase = 'correct horse battery staple';
const nonces = new Map<string, number>();
const signed = (did: string) => {
  const nonce = (nonces.get(did) ?? 0) + 1;
  nonces.set(did, nonce);
  return { did, passphrase, nonce };
};

async function tour(): Promise<object> {
  const [escrows, events, identities] = [
    new EscrowsApi(configuration),
    new EventsApi(configuration),
    new IdentityApi(configuration),
  ];
  const [wallets, machines, contracts] = [
    new WalletsApi(configuration),
    new MachinesApi(configuration),
    new ContractsApi(configuration),
  ];
  const ada = await identities.createIdentity({ createIdentityRequest: { passphrase } });
  const ben = await identities.createIdentity({ createIdentityRequest: { passphrase } });
  await new NodeApi(configuration).getNode();
  await wallets.claimFaucet({ claimFaucetRequest: { did: ada.did } });
  await wallets.getNonce({ did: ada.did });
  await wallets.transfer({
    transferRequest: { ...signed(ada.did), to: ben.did, amount: 5 },
    idempotencyKey: 'tour-transfer',
  });
  await wallets.listTransactions({ address: ada.did, type: 'sent', limit: 5 });

  const createEscrowRequest = {
    ...{ ...signed(ada.did), beneficiary: ben.did, amount: 10 },
    ...{ releaseRules: [{ type: 'manual' }], autoFund: true, expiresAt: '2099-01-01T00:00:00Z' },
  };
  const { escrowId, resourcePrev } = await escrows.createEscrow({ createEscrowRequest });
  await escrows.releaseEscrow({ escrowId, releaseEscrowRequest: { ...signed(ada.did), amount: 4 } });
  const { remaining, createdAt } = await escrows.getEscrow({ escrowId });
  await escrows.listEscrows({ did: ada.did });
  await machines.getMachineHistory({ kind: 'escrow', id: escrowId });
  await machines.getPermittedActions({ kind: 'escrow', id: escrowId });
  await machines.listMachines();

  const offer = { description: 'Hourly.', category: 'weather', tags: ['rain', 'hourly'] };
  const info = new MarketInformationApi(configuration);
  const createInfoListingRequest = {
    ...{ ...signed(ada.did), ...offer, title: 'Rainfall', pricing: { price: 2 }, infoType: 'dataset' },
    ...{ content: { format: 'text/csv' }, accessMethod: { type: 'download' }, license: { type: 'CC-BY-4.0' } },
  };
  const { listingId } = await info.createInfoListing({ createInfoListingRequest });
  await info.pauseInfoListing({ listingId, pauseInfoListingRequest: signed(ada.did) });
  await info.resumeInfoListing({ listingId, resumeInfoListingRequest: signed(ada.did) });
  await info.getInfoListing({ listingId });
  const search = await new MarketsSearchApi(configuration).searchMarkets({
    ...{ tags: ['rain', 'hourly'], seller: ada.did, includeFacets: true },
  });

  const tasks = new MarketTasksApi(configuration);
  const { listingId: taskId } = await tasks.createTaskListing({
    createTaskListingRequest: {
      ...{ ...signed(ada.did), ...offer, title: 'Count', pricing: { budget: 9 }, taskType: 'counting' },
      ...{ task: { beans: 40 }, timeline: {} },
    },
  });
  const { bidId } = await tasks.createBid({ taskId, createBidRequest: { ...signed(ben.did), price: 3 } });
  const { bids } = await tasks.listTaskBids({ taskId });
  await tasks.acceptBid({ taskId, bidId, acceptBidRequest: signed(ada.did) });

  const { contractId } = await contracts.createContract({
    createContractRequest: { ...signed(ada.did), provider: ben.did, terms: { scope: 'a logo' } },
  });
  const { signatures } = await contracts.signContract({ contractId, signContractRequest: signed(ada.did) });
  await contracts.getContract({ contractId });

  const { events: found } = await events.listEvents({ issuer: ada.did, limit: 2 });
  await events.getEvent({ hash: resourcePrev });
  await identities.getIdentity({ did: ada.did });
  await wallets.getSupply();
  const { balance } = await wallets.getWallet({ address: ben.did });
  const refusal = await wallets
    .transfer({ transferRequest: { ...signed(ada.did), to: ben.did, amount: 1_000_000 } })
    .catch(async (error: unknown) => {
      if (!(error instanceof ResponseError)) throw error;
      return ((await error.response.json()) as { code: string }).code;
    });
  return {
    ...{ remaining, balance, refusal, found: search.total, bids: bids.length },
    ...{ signatures: signatures.length, events: found.length, isWide: createdAt > 2 ** 32 },
  };
}

tour().then((facts) => process.stdout.write(`${JSON.stringify(facts)}\n`));
