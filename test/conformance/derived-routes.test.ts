/** What all derived routes have in common, for every kind: refusals before the step, examples, reads, lists. */
import { expect } from 'chai';
import { type Fields, parse } from '../../src/core/schema/scalar.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { expectInvalid, expectPage, expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { allowedTry } from './allowed.js';
import { type NodeStage, openStage, type Try } from './stage.js';

const required = (fields: Fields = {}): string[] =>
  Object.entries(fields).flatMap(([name, { optional }]) => (optional ? [] : [name]));

for (const definition of requestedOf(catalogue)) {
  describe(`The derived routes of ${definition.kind}`, () => {
    let node: TestNode;
    let stage: NodeStage;
    let view: Body;

    before(async () => {
      node = await TestNode.start();
      node.world.hold();
      stage = await openStage(node, definition);
    });
    after(() => node?.discard());
    beforeEach(async () => {
      // Wrong passphrases are limited for a minute.
      node.world.outrun(60_001);
      view = await stage.create();
    });

    /** Views show a deadline that has passed before the clock has recorded it. */
    const isDue = async ({ id }: Body): Promise<void> => {
      const { state, context } = await stage.situation({ id });
      expect(definition.alarm(state, context as never)?.at, `${id} is shown in another state`).to.be.below(
        node.world.now(),
      );
    };

    const actionsOf = Object.entries(definition.actions).filter(([, { internal }]) => !internal);

    it('examples are valid inputs', () => {
      const { create, actions } = definition;
      for (const [name, { input, example }] of Object.entries({ create, ...actions })) {
        expect(parse(input, example), name).to.deep.include(example as object);
      }
    });

    for (const [name, action] of actionsOf) {
      /** A person who may take the action, in a situation in which it is allowed. */
      const allowed = (): Promise<[Body, Try]> => allowedTry(stage, name);

      it(`${name}: names each required field that is missing`, async () => {
        const [open, asked] = await allowed();
        const fields = ['did', 'passphrase', 'nonce', ...required(action.input.fields)];
        if (action.resourcePrev === 'required') fields.push('resourcePrev');
        for (const field of definition.signerOptional ? fields.slice(3) : fields) {
          if (action.path?.includes(`:${field}`)) continue;
          const body = { resourcePrev: open.resourcePrev, ...stage.fixture.inputOf(asked, open), [field]: undefined };
          const path = stage.pathOf(name, open.id, stage.fixture.inputOf(asked, open));
          expectInvalid(await stage.cast[asked.by]!.write(path, body), field);
        }
      });

      it(`${name}: refuses an unknown id, a stale resourcePrev, a wrong passphrase, a used nonce`, async () => {
        const [open, asked] = await allowed();
        const who = stage.cast[asked.by]!;
        const ask = (more: Body, id = open.id) =>
          who.write(stage.pathOf(name, id, stage.fixture.inputOf(asked, open)), {
            ...{
              resourcePrev: open.resourcePrev,
              ...stage.fixture.inputOf(asked, open),
              ...stage.fixture.named(name, { id }),
            },
            ...more,
          });
        const before = await node.state();
        expectProblem(await ask({}, `${definition.route.idPrefix}none`), definition.refusals.unknown);
        expectProblem(await ask({ resourcePrev: 'f'.repeat(64) }), definition.refusals.stale);
        expectProblem(await ask({ passphrase: 'a wrong passphrase' }), 'TRANSFER_NOT_ALLOWED');
        expectProblem(await ask({ nonce: who.nonce + 1_000 }), 'CONFLICT', { nextNonce: who.nonce });
        expectProblem(await ask({ prev: 'f'.repeat(64) }), 'CONFLICT');
        expect(await node.state()).to.deep.equal(before);
        expectStatus(await ask({}));
      });

      it(`${name}: is a POST and nothing else`, async () => {
        const wrong = await node.client.get(stage.pathOf(name, view.id, action.example as Body));
        expectProblem(wrong, 'METHOD_NOT_ALLOWED');
        expect(wrong.headers.allow).to.include('POST');
      });
    }

    it('what is the clock’s alone has no route', async () => {
      for (const [name, { internal }] of Object.entries(definition.actions)) {
        if (!internal) continue;
        const { signed } = stage.creator;
        expectProblem(await node.client.post(`${stage.base}/${view.id}/actions/${name}`, signed), 'NOT_FOUND');
      }
    });

    it('create: names each required field that is missing', async () => {
      if (definition.create.internal) return;
      const creator = stage.creator;
      const body = stage.creation;
      const fields = definition.signerOptional ? [] : ['did', 'passphrase', 'nonce'];
      for (const field of [...fields, ...required(definition.create.input.fields)]) {
        if (definition.create.path?.includes(`:${field}`)) continue;
        expectInvalid(await creator.write(stage.createPath, { ...body, [field]: undefined }), field);
      }
    });

    it('reads one with an ETag, and says 304', async () => {
      const path = `${stage.base}/${view.id}`;
      const read = await node.client.get(path);
      expect(expectStatus(read)).to.include({ resourcePrev: view.resourcePrev, id: view.id });
      expect((await node.client.get(path, { 'If-None-Match': read.headers.etag! })).status).to.equal(304);
      expectProblem(await node.client.get(`${path}x`), definition.refusals.unknown);
    });

    it('lists by each role and status, as a page', async () => {
      const { list } = definition;
      const creator = stage.creator;
      for (const role of ['all', ...list.roles]) {
        const body = expectStatus(await node.client.get(`${stage.base}?did=${creator.did}&role=${role}&limit=1`));
        expect(body).to.include.all.keys(list.name, 'total', 'pagination');
        expectPage(body.pagination, { limit: 1, total: body.total });
      }
      let total = 0;
      // Views show these states under another word, which is counted instead.
      const states = Object.entries<readonly string[]>(list.states ?? {});
      const shownAsOthers = new Set(states.flatMap(([status, held]) => held.filter((state) => state !== status)));
      for (const status of list.statuses) {
        const body = expectStatus(await node.client.get(`${stage.base}?status=${status}`));
        for (const each of body[list.name]) {
          if (each.status !== status && each.state !== status) await isDue(each);
        }
        if (!shownAsOthers.has(status)) total += body.total;
      }
      // A search returns active listings only, unless asked for more.
      const every = definition.search ? `${stage.base}?status=${list.statuses.join()}` : stage.base;
      expect(total, 'the statuses cover everything').to.equal(expectStatus(await node.client.get(every)).total);
      expectInvalid(await node.client.get(`${stage.base}?status=none-of-these`), 'status');
    });
  });
}
