/** Try it: the first escrow created, funded and released in the browser; on devnet only. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { publishes } from '../node/support/lessor.js';
import { TestNode } from '../node/support/node.js';
import { publishesTask } from '../node/support/requester.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';

inBrowser(
  'trying it on devnet',
  { open: async () => ({ node: await TestNode.start() }), close: ({ node }) => node.discard() },
  (stage) => {
    const form = (name: string) => stage.page.getByRole('form', { name, exact: true });
    const made = () => stage.page.getByRole('region', { name: 'People made here' }).locator('tbody tr');

    const add = async (name: string) => {
      await stage.page.getByLabel('Name', { exact: true }).fill(name);
      await stage.page.getByRole('button', { name: 'Add person' }).click();
      await made().filter({ hasText: name }).waitFor();
    };

    /** Adds so many of them. @returns their DIDs */
    async function people(count: 1 | 2): Promise<string[]> {
      await stage.window.visit('#/try');
      for (const name of ['Zoe', 'Yann'].slice(0, count)) await add(name);
      await stage.page.getByRole('button', { name: 'Get Tokens for Zoe' }).click();
      await made().first().getByText('100\u00a0Tokens').waitFor();
      return made()
        .locator('a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('title') ?? ''));
    }

    it('creates, funds and releases an escrow with forms from the definition', async () => {
      const [, payee] = await people(2);
      const beneficiary = form('Create').getByLabel('Beneficiary');
      const offers = await beneficiary.evaluate((field) =>
        [...(field as HTMLInputElement).list!.options].map(({ value, label }) => [label, value]),
      );
      expect(offers[1]).to.deep.equal([`2: Yann …${payee!.slice(-4)}`, payee]);
      expect(await beneficiary.inputValue()).to.equal('Yann');
      await beneficiary.fill('Xaver');
      await form('Create').getByLabel('Amount').fill('40');
      await form('Create').getByRole('button', { name: 'Create' }).click();
      await form('Create').getByRole('alert').getByText('“Xaver” is no name of your address book').waitFor();
      await beneficiary.fill('yann');
      await form('Create').getByLabel('Amount').fill('40');
      await form('Create').getByRole('button', { name: 'Create' }).click();
      await form('fund').getByLabel('Amount').fill('40');
      await form('fund').getByRole('button', { name: 'fund' }).click();
      await form('release').getByLabel('Amount').fill('25');
      await form('release').getByRole('button', { name: 'release' }).click();
      await stage.page.getByText('25 paid').first().waitFor();
      await form('release').getByLabel('Amount').fill('15');
      await form('release').getByRole('button', { name: 'release' }).click();
      await stage.page.locator('.story').getByText('final: it can no longer change').waitFor();
      const { node } = stage.scene;
      expect(expectStatus(await node.client.get(`/api/v1/wallets/${payee}`)).balance).to.equal(40);
      stage.window.expectQuiet();
    });

    it('says that a name is like that of another person', async () => {
      await people(1);
      const warning = stage.page.locator('.warn').getByText('Looks like the name of');
      await add('Yves');
      expect(await warning.count()).to.equal(0);
      await add('YVЕS');
      await warning.waitFor();
      stage.window.expectQuiet();
    });

    it('offers the signer who may act, and the parts of a resource', async () => {
      const [client, provider] = await people(2);
      await stage.page.locator('.kind-field select').selectOption('contract');
      await form('Create').getByLabel('Provider').fill('2');
      await form('Create').getByText('more fields').click();
      const milestones = ['sketch', 'print'].map((id) => ({ id, title: id, amount: 20, criteria: ['a'] }));
      await form('Create').getByLabel('Milestones').fill(JSON.stringify(milestones));
      await form('Create').getByRole('button', { name: 'Create' }).click();
      const taken = async (action: string, signer: string) => {
        const who = form(action).getByLabel('Signer');
        await stage.page.waitForFunction(
          ([name, did]) =>
            document.querySelector<HTMLSelectElement>(`form[aria-label="${name}"] select`)?.value === did,
          [action, signer] as const,
        );
        expect(await who.inputValue(), action).to.equal(signer);
      };
      for (const signer of [client!, provider!]) {
        await taken('sign', signer);
        await form('sign').getByRole('button', { name: 'sign' }).click();
      }
      await form('activate').getByLabel('Amount').fill('40');
      await form('activate').getByRole('button', { name: 'activate' }).click();
      await taken('submit', provider!);
      const choices = form('submit').getByLabel('Milestone id').locator('option');
      expect((await choices.allInnerTexts()).filter((text) => text !== '')).to.deep.equal(['sketch', 'print']);
      await form('submit').getByLabel('Milestone id').selectOption('print');
      await form('submit').getByRole('button', { name: 'submit' }).click();
      await stage.page.getByText('submit: done').waitFor();
      await taken('approve', client!);
      stage.window.expectQuiet();
    });

    it('publishes with the example as it stands, and buys where the listing is', async () => {
      const [buyer, seller] = await people(2);
      await stage.page.locator('.kind-field select').selectOption('info-order');
      await form('Create').getByRole('button', { name: 'Create' }).click();
      await form('Create').getByRole('alert').getByText('Listing id is required').waitFor();
      await stage.page.locator('.kind-field select').selectOption('info-listing');
      await form('Create').getByLabel('Signer').selectOption(seller!);
      await form('Create').getByRole('button', { name: 'Create' }).click();
      await form('pause').waitFor();
      const listingId = decodeURIComponent(stage.page.url().split('/').at(-1)!);
      await stage.window.visit(`#/markets/info/${listingId}`);
      const order = form('purchase');
      expect(await order.getByLabel('Signer').inputValue()).to.equal(buyer);
      await order.getByRole('button').click();
      await stage.page.getByRole('heading', { level: 1, name: /^Info order/ }).waitFor();
      const { orders } = expectStatus(await stage.scene.node.client.get(`/api/v1/orders?buyer=${buyer}`));
      expect(orders).to.have.lengthOf(1);
      expect(orders[0]).to.include({ listingId, seller, status: 'paid' });
      stage.window.expectQuiet();
    });

    it('names the forms at a capability and a task after what they do', async () => {
      await people(1);
      const seller = await stage.scene.node.rich();
      for (const [market, listing, verb] of [
        ['capabilities', await publishes(seller), 'lease'],
        ['tasks', await publishesTask(seller), 'bid'],
      ] as const) {
        await stage.window.visit(`#/markets/${market}/${listing.listingId}`);
        await form(verb).getByRole('button', { name: verb, exact: true }).waitFor();
      }
      stage.window.expectQuiet();
    });

    it('names no one in an example who does not exist, and says what it may have', async () => {
      const [, provider] = await people(2);
      await stage.page.locator('.kind-field select').selectOption('contract');
      const terms = form('Create').getByLabel('Terms');
      expect(await terms.inputValue())
        .to.include('deadline')
        .and.not.to.include('did:');
      await form('Create')
        .getByText(/as JSON, with .*arbiter, deadline/)
        .waitFor();
      await form('Create').getByLabel('Provider').fill(provider!);
      await form('Create').getByRole('button', { name: 'Create' }).click();
      await form('sign').waitFor();
      stage.window.expectQuiet();
    });

    it('removes a person with the key, once it was asked whether to', async () => {
      await people(2);
      const keys = () =>
        stage.page.evaluate(
          () =>
            new Promise((resolve) => {
              const opening = indexedDB.open('svc-node');
              opening.onsuccess = () => {
                const all = opening.result.transaction('keys').objectStore('keys').count();
                all.onsuccess = () => resolve(all.result);
              };
            }),
        );
      const remove = stage.page.getByRole('button', { name: /^Remove Yann/ });
      await remove.click();
      await stage.page.getByText('deletes the only copy of the key').waitFor();
      await stage.page.getByRole('button', { name: 'Cancel' }).click();
      expect(await made().count()).to.equal(2);
      await remove.click();
      await stage.page.getByRole('button', { name: /^Remove Yann …\w+$/ }).click();
      await made().filter({ hasText: 'Yann' }).waitFor({ state: 'detached' });
      expect(await keys()).to.equal(1);
      await stage.page.reload();
      await made().filter({ hasText: 'Zoe' }).waitFor();
      expect(await made().count()).to.equal(1);
      stage.window.expectQuiet();
    });

    it('signs with keys that the browser keeps with their names, and the node never sees', async () => {
      await people(1);
      await stage.page.reload();
      const mine = made().filter({ hasText: 'Zoe' });
      await mine.waitFor();
      const readable = await stage.page.evaluate(
        () =>
          new Promise((resolve) => {
            const opening = indexedDB.open('svc-node');
            opening.onsuccess = () => {
              const all = opening.result.transaction('keys').objectStore('keys').getAll();
              all.onsuccess = () =>
                resolve(
                  all.result.flatMap(({ signing, agreement }) =>
                    [signing, agreement].map((pair) => pair.privateKey.extractable),
                  ),
                );
            };
          }),
      );
      expect(readable).to.deep.equal([false, false]);
      const did = (await mine.locator('a').getAttribute('title'))!;
      await mine.getByText('100\u00a0Tokens').waitFor();
      const { node } = stage.scene;
      await form('Create').getByLabel('Beneficiary').fill(node.did);
      await form('Create').getByLabel('Amount').fill('40');
      await form('Create').getByRole('button', { name: 'Create' }).click();
      await form('fund').getByLabel('Amount').fill('40');
      await form('fund').getByRole('button', { name: 'fund' }).click();
      stage.window.expected.add(422);
      await form('release').getByLabel('Amount').fill('50');
      await form('release').getByRole('button', { name: 'release' }).click();
      await form('release').getByRole('alert').waitFor();
      expect(expectStatus(await node.client.get(`/api/v1/wallets/${did}`))).to.include({
        available: 60,
        escrowed: 40,
        nonce: 2,
      });
      expect(readdirSync(join(node.dir, 'keystore')).join()).not.to.include(did.slice('did:svc:'.length));
      stage.window.expectQuiet();
    });

    it('leaves keys to the node where the browser keeps none, until the page is loaded again', async () => {
      await stage.page.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }));
      await stage.window.visit('#/try');
      await stage.page.getByLabel('Passphrase').fill('a good long passphrase');
      await add('Wanda');
      await made()
        .getByRole('button', { name: /^Get Tokens/ })
        .click();
      await made().getByText('100\u00a0Tokens').waitFor();
      const did = (await made().locator('a').getAttribute('title'))!;
      const { node } = stage.scene;
      await form('Create').getByLabel('Beneficiary').fill(node.did);
      await form('Create').getByLabel('Amount').fill('40');
      await form('Create').getByRole('button', { name: 'Create' }).click();
      await form('fund').waitFor();
      await stage.page
        .getByRole('link', { name: /^Wanda/ })
        .first()
        .waitFor();
      const { address } = expectStatus(await node.client.get(`/api/v1/identities/${did}`));
      expect(readdirSync(join(node.dir, 'keystore')).join()).to.include(address);
      await stage.page.reload();
      await stage.page.getByRole('link', { name: 'Add a person' }).click();
      expect(await made().count()).to.equal(0);
      stage.window.expectQuiet();
    });

    it('says why the node refuses', async () => {
      const [payer] = await people(1);
      stage.window.expected.add(422);
      stage.window.expected.add(400);
      await form('Create').getByLabel('Beneficiary').fill(payer!);
      await form('Create').getByLabel('Amount').fill('40');
      for (const [rules, why] of [
        ['{', 'release rules is not JSON'],
        ['manual\nlater', 'release rules: later is not a rule: it takes manual, manual=arbiter, after=2026-12-01'],
        ['after=noon', 'release rules: after=noon is not a time such as 2026-12-01'],
        ['[{"type":"manual","n":738529527931269425}]', 'release rules has a number beyond 2^53 − 1'],
        ['[{"type":"manual","n":1e400}]', 'release rules has a number beyond 2^53 − 1'],
        ['[{"type":"manual","n":[-9007199254740993]}]', 'release rules has a number beyond 2^53 − 1'],
      ] as const) {
        await form('Create').getByLabel('Release rules').fill(rules);
        await form('Create').getByRole('button', { name: 'Create' }).click();
        await form('Create').getByRole('alert').getByText(why).waitFor();
        await form('Create').getByLabel('Release rules').fill('[{"type":"manual"}]');
        await form('Create').getByRole('button', { name: 'Create' }).click();
        await form('Create').getByRole('alert').getByText('UNPROCESSABLE').waitFor();
      }
      stage.window.expectQuiet();
    });

    inEachLook(stage, 'is good to fill in', async (look) => {
      await people(2);
      await form('Create').getByLabel('Amount').waitFor();
      await expectGood(stage.window, `try-${look}`);
    });

    it('is offered on no other network', async () => {
      const testnet = await TestNode.start({ variables: { SVC_NETWORK: 'testnet', SVC_LOOPBACK: 'on' } });
      try {
        await stage.open('light', testnet.url);
        await stage.window.visit('#/try');
        await stage.page.getByText('this node is on testnet').waitFor();
        expect(await stage.page.getByRole('navigation', { name: 'Views' }).getByText('Try it').count()).to.equal(0);
        expect(await stage.page.locator('main form:not(.search-box form)').count()).to.equal(0);
        stage.window.expectQuiet();
      } finally {
        await testnet.discard();
      }
    });
  },
);
