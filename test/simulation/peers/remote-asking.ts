/** Asks another home, as the node's routes do (src/http/routes/remote-writes.ts): without a lock, with one request to one's own home. */
import type { Actors } from '../../../src/actors/actor.js';
import type { Accepted } from '../../../src/actors/command.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal, type Refusal } from '../../../src/core/refusal.js';
import type { SeedSigner } from '../../../src/keys/signing.js';
import { attestation, withSignature } from '../../../src/machines/kernel/attest.js';
import { lawOf } from '../../../src/machines/kernel/other-signer.js';
import { hidesInput } from '../../../src/machines/kernel/visibility.js';
import type { ForeignHome } from '../../../src/peers/reading/foreign.js';
import type { RemoteTrading } from '../../../src/peers/trade/trade.js';
import type { Snapshot } from '../../../src/store/store.js';
import { network } from '../../world/bench.js';
import type { Deal } from './deals.js';

export interface RemoteAsking {
  readonly actors: Actors;
  readonly trade: RemoteTrading;
  readonly foreign: ForeignHome;
  readonly signer: SeedSigner;
  /** Id of the remote request. */
  readonly id: string;
  /** Called with the Tokens that go with it, before it is sent. */
  readonly onMoney: (money: number) => void;
}

export interface Sent {
  readonly accepted: Accepted;
  /** The request once it is closed. */
  readonly closed: Promise<Snapshot>;
}

/** Longer than any history. */
const waitMs = 3_600_000;

/** @returns the refusal of the own home, which costs nothing; undefined where that home is no longer followed */
export async function askElsewhere(deal: Deal, asking: RemoteAsking): Promise<Sent | Refusal> {
  const { actors, trade, foreign, signer, id, onMoney } = asking;
  const { catalogue } = actors.options;
  const definition = catalogue.definitions[deal.kind];
  const { kind, action, ids, resourcePrev } = deal;
  const resource = await foreign.store.load(kind, deal.id);
  const text = attestation(definition, resource, { action, id: deal.id, network, home: foreign.home });
  const input = text === undefined ? deal.input : withSignature(deal.input, signer.sign(text));
  const request = { kind, id: deal.id, action, input, ...(ids ? { ids } : {}) };
  const by = { did: signer.did, law: lawOf(catalogue, kind, action), ...(resourcePrev ? { resourcePrev } : {}) };
  const accepted = await trade.sending(signer.did, foreign.home, async (sending) => {
    const money = await trade.moneyFor(foreign, { request, by, home: foreign.home }, sending);
    if (!isRefusal(money)) onMoney(money);
    const sent: JsonObject = {
      ...{ home: foreign.home, kind, resource: deal.id, action, money: isRefusal(money) ? 0 : money },
      [definition?.form === 'machine' && hidesInput(definition, action) ? 'confidential' : 'input']: input,
      ...(ids ? { ids } : {}),
      ...(resourcePrev ? { resourcePrev } : {}),
    };
    return actors.execute({
      ...{ kind: 'remote-request', id, action: 'create', ids: { escrow: `esc-of-${id}` }, input: sent },
      ...{ signer: signer.did, unlock: () => signer, ...(isRefusal(money) ? { prechecked: money } : {}) },
    });
  });
  if (isRefusal(accepted)) return accepted;
  const closed = trade
    .closed(id, waitMs)
    .then(async () => (await actors.committed.resource('remote-request', id)) as Snapshot);
  return { accepted, closed };
}
