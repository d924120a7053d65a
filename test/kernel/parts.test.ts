/** Sub-commands of a workflow that only check, and actions with their own codes. */
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { catalogueOf } from '../../src/machines/catalogue.js';
import { decide } from '../../src/machines/kernel/decide.js';
import { type AnyResource, type Catalogue, defineResource } from '../../src/machines/kernel/definition.js';
import type { Resource, SubCommand, Workflow } from '../../src/machines/kernel/resource.js';
import { lamp, pay, quench, toy } from '../types/toy.js';

const ada = 'did:svc:ada';

const stored = (state: string, context: object): Resource =>
  ({
    ...decided(catalogueOf([lamp]), 'lamp-1', 'create')!.written[0]!,
    version: 1,
    state,
    context,
    lastHash: 'x',
  }) as never;

function ask(catalogue: Catalogue, id: string, action: string, resources: readonly Resource[] = [], signer = ada) {
  return decide(
    catalogue,
    { kind: 'lamp', id, action, input: { minutes: 5 } },
    { signer, time: 1, network: 'devnet', home: '', system: false },
    {
      resource: (kind, name) => resources.find((each) => each.kind === kind && each.id === name),
      account: (did) => ({ did, available: 9, reserved: 0, escrowed: 0, version: 0, frozen: false }),
    },
  );
}

function decided(...asked: Parameters<typeof ask>) {
  const outcome = ask(...asked);
  return isRefusal(outcome) ? expect.fail(outcome.detail) : outcome;
}

describe('a part that checks', () => {
  const effects = { pay: () => [{ op: 'mint', to: ada, amount: 1 } as const], note: pay };
  const paying = defineResource({ ...toy, effects }) as AnyResource;
  const other = (part: SubCommand): SubCommand => ({ ...part, id: 'lamp-2', check: true });
  const alsoAsks: Workflow = { revision: 1, subCommands: (request) => [other(request), request] };
  const catalogue = catalogueOf([paying], { 'lamp.light': alsoAsks });
  const [first, second] = [stored('dark', { owner: ada, lit: 0 }), stored('dark', { owner: ada, lit: 0 })];

  it('writes and moves nothing, and is among what the decision rests on', () => {
    const outcome = decided(catalogue, 'lamp-1', 'light', [first, { ...second, id: 'lamp-2' }]);
    expect(outcome.written.map(({ id, state }) => `${id} ${state}`)).to.deep.equal(['lamp-1 bright']);
    expect(outcome.moves).to.deep.equal([{ op: 'mint', to: ada, amount: 1 }]);
    expect(outcome.reads).to.deep.equal([{ kind: 'lamp', id: 'lamp-2', version: 1 }]);
  });

  it('refuses the whole if one part is refused', () => {
    const dry = { ...second, id: 'lamp-2', context: { owner: ada, lit: 100 } };
    expect(ask(catalogue, 'lamp-1', 'light', [first, dry])).to.include({ code: 'CONFLICT', detail: 'no oil' });
    const bright = { ...second, id: 'lamp-2', state: 'bright' };
    expect(ask(catalogue, 'lamp-1', 'light', [first, bright])).to.include({ code: 'CONFLICT' });
  });
});

describe('an action with its own codes', () => {
  const strict = defineResource({
    ...toy,
    actions: {
      ...toy.actions,
      quench: { ...quench, refusals: { who: 'SUBMISSION_NOT_ALLOWED', state: 'UNPROCESSABLE' } },
    },
  });
  const catalogue = catalogueOf([strict]);
  const dark = stored('dark', { owner: ada, lit: 0 });

  it('refuses with them who may not, and states that do not list it', () => {
    expect(ask(catalogue, 'lamp-1', 'quench', [dark], 'did:svc:ben')).to.include({ code: 'SUBMISSION_NOT_ALLOWED' });
    expect(ask(catalogue, 'lamp-1', 'quench', [dark])).to.include({ code: 'UNPROCESSABLE' });
  });

  it('and another action of the kind with the kind’s', () => {
    expect(ask(catalogue, 'lamp-1', 'light', [{ ...dark, state: 'bright' }])).to.include({ code: 'CONFLICT' });
  });
});
