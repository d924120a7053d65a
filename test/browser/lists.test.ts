/** Finding resources in the console: filtered and sorted lists, the search box, and downloads of results. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { until } from '../support/until.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';
import { sharedTown } from './support/town.js';

inBrowser('the console’s lists', { open: sharedTown }, (stage) => {
  const rows = (caption: string) => stage.page.locator(`[aria-label="${caption}"] tbody tr`);
  const idsIn = async (caption: string) =>
    await rows(caption)
      .locator('td:first-child a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('title')));
  const listed = async (query: string): Promise<string[]> => {
    const { escrows } = expectStatus(await stage.scene.node.client.get(`/api/v1/escrows?${query}`));
    return escrows.map(({ id }: { id: string }) => `escrow/${id}`);
  };

  it('show state, parties, amount and what remains, newest first', async () => {
    await stage.window.visit('#/lists');
    await rows('List of escrows').first().waitFor();
    expect(await idsIn('List of escrows')).to.deep.equal(await listed('limit=25'));
    const line = rows('List of escrows').filter({
      has: stage.page.locator(`a[title="escrow/${stage.scene.escrow.id}"]`),
    });
    const text = (await line.innerText()).replace(/\s+/g, ' ');
    expect(text).to.match(/funded depositor .*beneficiary .* 60 Tokens 20 paid 40 created \d{4}-\d\d-\d\d .*UTC/);
    stage.window.expectQuiet();
  });

  it('show what is new without being asked', async () => {
    const { ben, cleo } = stage.scene;
    await stage.window.visit('#/lists/escrows');
    await rows('List of escrows').first().waitFor();
    const made = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }], amount: 1 };
    const { escrowId } = await cleo.does('/api/v1/escrows', made);
    await stage.page.locator(`a[title="escrow/${escrowId}"]`).waitFor();
    stage.window.expectQuiet();
  });

  it('lead from an escrow to the order that it belongs to, whatever its market', async () => {
    const { escrows } = expectStatus(await stage.scene.node.client.get('/api/v1/escrows?limit=100'));
    const { id, depositor, purpose } = escrows.find((each: Body) => each.purpose?.kind === 'order');
    for (const from of [`#/lists/escrows?did=${depositor}`, `#/charts/escrow/${id}`]) {
      await stage.window.visit(from);
      await stage.page.locator(`main a[title="order/${purpose.id}"]`).first().click();
      await stage.page.getByRole('heading', { level: 1, name: /^(Info|Task) order/ }).waitFor();
      await stage.page.locator('.story').waitFor();
    }
    stage.window.expectQuiet();
  });

  it('exist for every kind', async () => {
    for (const path of ['escrows', 'contracts', 'orders', 'leases', 'disputes', 'bids']) {
      await stage.window.visit(`#/lists/${path}`);
      await stage.page.getByRole('navigation', { name: `Pages of ${path}` }).waitFor();
    }
    stage.window.expectQuiet();
  });

  const offered = (label: string) =>
    stage.page
      .getByLabel(label)
      .evaluate((input) =>
        [...(input as HTMLInputElement).list!.options].map(({ value, label: said }) => `${value} ${said}`),
      );

  for (const [failing, text, other] of [
    ['markets/search', 'weather', 'Ada’s Weather Desk'],
    ['lookup', 'rain hour', 'Rain by the hour, 1998 to 2025'],
  ] as const)
    it(`complete from what answers, if ${failing} does not`, async () => {
      const box = 'Search everything';
      await stage.window.visit('#/lists/escrows');
      stage.window.expected.add(503);
      await stage.page.route(`**/api/v1/${failing}*`, (route) => route.fulfill({ status: 503, json: {} }));
      const asked = stage.page.waitForResponse((reply) => reply.url().includes(`/${failing}`));
      await stage.page.getByLabel(box).fill(text);
      await asked;
      await until('the others are offered', () => offered(box), {
        is: (all) => all.some((each) => each.includes(other)),
      });
      stage.window.expectQuiet();
    });

  it('complete a name while one types, and say that a name is of no DID', async () => {
    const { ada } = stage.scene;
    await stage.window.visit('#/lists/escrows');
    for (const label of ['Party', 'Search everything']) {
      await stage.page.getByLabel(label).pressSequentially('weath');
      await until(`${label} offers Ada`, () => offered(label), {
        is: (all) => all.some((each) => each.startsWith(`${ada.did} Ada’s Weather`)),
      });
    }
    await stage.page.getByLabel('Search everything').fill(stage.scene.escrow.id.slice(0, -3));
    await until('the id is offered', () => offered('Search everything'), {
      is: (all) => all.includes(`${stage.scene.escrow.id} escrow`),
    });
    await stage.page.getByLabel('Search everything').fill('rain hour');
    await until('the listing is offered', () => offered('Search everything'), {
      is: (all) => all.some((each) => each.endsWith(' Rain by the hour, 1998 to 2025')),
    });
    await stage.page.getByLabel('Party').fill('No such name');
    await stage.page.getByRole('button', { name: 'Apply' }).click();
    await stage.page
      .getByRole('alert')
      .getByText('“No such name” is the name of no DID, or of more than one')
      .waitFor();
    expect(new URL(stage.page.url()).hash).to.equal('#/lists/escrows');
    stage.window.expectQuiet();
  });

  it('complete a memo of the reader’s own statement, and for no one else', async () => {
    const { node, ada, ben, cleo } = stage.scene;
    const box = 'Search everything';
    const type = async (key?: string) => {
      await stage.open();
      await stage.window.visit('#/lists/escrows');
      if (key !== undefined) {
        await stage.page.getByRole('button', { name: 'Enter a read key' }).click();
        await stage.page.getByLabel('API key').fill(key);
        await stage.page.getByRole('button', { name: 'Use this key' }).click();
      }
      const asked = stage.page.waitForResponse((reply) => reply.url().includes('/lookup'));
      await stage.page.getByLabel(box).pressSequentially('stations');
      await asked;
    };
    const memos = async () => (await offered(box)).filter((each) => / for the stations$/.test(each));
    for (const { did } of [ada, ben]) {
      await type((await node.key({ did })).key);
      const [memo] = await until('the memo is offered', memos, { is: (all) => all.length === 1 });
      await stage.page.getByLabel(box).fill(memo!.split(' ')[0]!);
      await stage.page.getByLabel(box).press('Enter');
      await stage.page.locator('main').getByText('for the stations').first().waitFor();
      stage.window.expectQuiet();
    }
    for (const key of [(await node.key({ did: cleo.did })).key, undefined]) {
      await type(key);
      expect(await memos()).to.deep.equal([]);
      stage.window.expectQuiet();
    }
  });

  it('say what each is about and how an escrow ended, and find those of a substate', async () => {
    const { ben, cleo, dataset, task } = stage.scene;
    const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }] };
    const gone = await cleo.does('/api/v1/escrows', { ...rules, amount: 2 });
    expectStatus(await cleo.act(gone, 'cancel', {}));
    await stage.window.visit('#/lists/escrows');
    await stage.page.getByLabel('State').selectOption('created, cancelled');
    await stage.page.getByRole('button', { name: 'Apply' }).click();
    await stage.page.getByText('1 escrow', { exact: true }).waitFor();
    expect(await idsIn('List of escrows')).to.deep.equal([`escrow/${gone.escrowId}`]);
    const parted = await cleo.does('/api/v1/escrows', { ...rules, amount: 3, autoFund: true });
    expectStatus(await cleo.act(parted, 'release', { amount: 2 }));
    const { resourcePrev } = expectStatus(await ben.client.get(`/api/v1/escrows/${parted.escrowId}`));
    expectStatus(await ben.act(parted, 'refund', { amount: 1, reason: 'less work', resourcePrev }));
    await stage.window.visit('#/lists/escrows');
    await rows('List of escrows').getByText('2 paid, 1 back').waitFor();
    await rows('List of escrows').getByText('refunded in part', { exact: true }).waitFor();
    // Reserved until it is funded, as on its page.
    await rows('List of escrows').getByText('15 reserved', { exact: true }).first().waitFor();
    await stage.page.setViewportSize({ width: 390, height: 844 });
    const covered = await stage.page.locator('.list-cards tbody tr').evaluateAll(
      (all) =>
        all.filter((line) => {
          const [id, state] = [line.querySelector('td a')!, line.querySelector('.states .badge')!];
          const [one, other] = [id.getBoundingClientRect(), state.getBoundingClientRect()];
          return one.right > other.left && one.bottom > other.top && other.bottom > one.top;
        }).length,
    );
    expect(covered, 'ids covered by a badge').to.equal(0);
    await stage.page.setViewportSize({ width: 1_024, height: 900 });
    for (const [path, subject, title] of [
      ['orders', `info-listing/${dataset.listingId}`, dataset.title],
      ['bids', `task-listing/${task.listingId}`, task.title],
    ]) {
      await stage.window.visit(`#/lists/${path}`);
      await stage.page.locator(`.parties a[title="${subject}"]`).getByText(title, { exact: true }).first().waitFor();
      const below = await stage.page
        .locator('.parties li')
        .evaluateAll(
          (lines) =>
            (lines as HTMLElement[]).filter(
              ({ children: [label, value], offsetWidth, scrollWidth }) =>
                scrollWidth > offsetWidth + 1 ||
                value!.getBoundingClientRect().left < label!.getBoundingClientRect().right - 1,
            ).length,
        );
      expect(below, 'names below their labels, or out of their column').to.equal(0);
    }
    await stage.page.setViewportSize({ width: 1_440, height: 900 });
    await stage.window.visit(`#/markets/tasks/${task.listingId}`);
    await stage.page.locator('[aria-label="Bids on the task"]').getByText('By hand, with a glossary.').waitFor();
    stage.window.expectQuiet();
  });

  it('are narrowed by a name, a state and amounts, and the link keeps it', async () => {
    const { ada } = stage.scene;
    await stage.window.visit('#/lists/escrows');
    await stage.page.getByLabel('Party').fill('Ada’s Weather');
    await stage.page.locator('[name=status]').selectOption('funded');
    await stage.page.getByLabel('Amount from').fill('50');
    await stage.page.getByRole('button', { name: 'Apply' }).click();
    await stage.page.waitForURL((url) => url.hash.includes(encodeURIComponent(ada.did)));
    const wanted = await listed(`did=${ada.did}&status=funded&minAmount=50`);
    expect(wanted).to.have.length(1);
    await rows('List of escrows').first().waitFor();
    await stage.page
      .getByText(wanted.length === 1 ? '1 escrow' : `1 to ${wanted.length} of ${wanted.length} escrows`, {
        exact: true,
      })
      .waitFor();
    expect(await idsIn('List of escrows')).to.deep.equal(wanted);
    const link = stage.page.url();
    await stage.open();
    await stage.page.goto(link);
    await rows('List of escrows').first().waitFor();
    expect(await idsIn('List of escrows')).to.deep.equal(wanted);
    expect(await stage.page.getByLabel('Amount from').inputValue()).to.equal('50');
    stage.window.expectQuiet();
  });

  it('are where the search leads for a date or an amount that names nothing else', async () => {
    await stage.window.visit('#/find?text=60606');
    await stage.page.getByText('With that amount').waitFor();
    expect(await stage.page.getByRole('link', { name: 'escrows', exact: true }).getAttribute('href')).to.equal(
      '#/lists/escrows?min=60606&max=60606',
    );
    // A number can also be meant as an amount.
    await stage.window.visit('#/find?text=5');
    await stage.page.getByRole('heading', { name: /Entry 5/ }).waitFor();
    expect(await stage.page.getByRole('link', { name: 'orders', exact: true }).getAttribute('href')).to.equal(
      '#/lists/orders?min=5&max=5',
    );
    const today = new Date().toISOString().slice(0, 10);
    await stage.window.visit(`#/find?text=${today}`);
    await stage.page.getByText('Created on that date').waitFor();
    await stage.page.getByRole('link', { name: 'escrows', exact: true }).click();
    await rows('List of escrows').first().waitFor();
    stage.window.expectQuiet();
  });

  it('are not said to have nothing where the search for listings has failed', async () => {
    stage.window.expected.add(503);
    const json = { code: 'SERVICE_UNAVAILABLE', detail: 'the database does not answer' };
    await stage.page.route('**/api/v1/markets/search*', (route) => route.fulfill({ status: 503, json }), { times: 1 });
    await stage.window.visit('#/find?text=xyzzy');
    await stage.page.getByRole('alert').getByText('the database does not answer').waitFor();
    expect(await stage.page.getByText('Nothing found for').count()).to.equal(0);
    await stage.page.getByRole('button', { name: 'Try again' }).click();
    await stage.page.getByText('Nothing found for').waitFor();
    stage.window.expectQuiet();
  });

  it('are sorted by amount and narrowed by date', async () => {
    await stage.window.visit('#/lists/escrows?sort=amount_desc');
    await rows('List of escrows').first().waitFor();
    expect(await idsIn('List of escrows')).to.deep.equal(await listed('sort=amount_desc&limit=25'));
    await stage.page.getByLabel('Created to').fill('2001-01-01');
    await stage.page.getByRole('button', { name: 'Apply' }).click();
    await stage.page.getByText('No escrows with these filters').waitFor();
    stage.window.expectQuiet();
  });

  it('are sorted by the heads of columns, with the mouse and with keys', async () => {
    const head = (name: string) => stage.page.getByRole('columnheader', { name });
    const sorted = async (by: string, column: string, direction: string) => {
      const wanted = await listed(`${by}limit=25`);
      const heads = ['Amount', 'Times'].map((name) => (name === column ? direction : 'none'));
      const seen = async () => ({
        ids: await idsIn('List of escrows'),
        heads: await Promise.all(['Amount', 'Times'].map((name) => head(name).getAttribute('aria-sort'))),
      });
      await until(`sorted ${by}`, seen, {
        is: (shown) => JSON.stringify(shown) === JSON.stringify({ ids: wanted, heads }),
      });
    };
    await stage.window.visit('#/lists/escrows?status=funded');
    await head('Amount').getByRole('link').click();
    await sorted('status=funded&sort=amount_desc&', 'Amount', 'descending');
    await stage.page.keyboard.press('Enter');
    await sorted('status=funded&sort=amount_asc&', 'Amount', 'ascending');
    expect(await stage.page.getByLabel('Order').inputValue()).to.equal('amount_asc');
    await stage.page.keyboard.press('Tab');
    await stage.page.keyboard.press('Enter');
    await sorted('status=funded&', 'Times', 'descending');
    await stage.page.keyboard.press('Enter');
    await sorted('status=funded&sort=oldest&', 'Times', 'ascending');
    await stage.page.setViewportSize({ width: 390, height: 844 });
    await head('Amount').getByRole('link').click();
    await sorted('status=funded&sort=amount_desc&', 'Amount', 'descending');
    expect(await head('State').count(), 'heads that do not sort are for screen readers').to.equal(1);
    stage.window.expectQuiet();
  });

  it('keep views under names, in this browser', async () => {
    const views = stage.page.getByRole('navigation', { name: 'Named views' });
    const name = stage.page.getByLabel('Name of this view');
    const press = (label: string) => stage.page.getByRole('button', { name: label, exact: true }).click();
    const called = () => views.getByRole('link').allInnerTexts();
    await stage.window.visit('#/lists/escrows');
    await rows('List of escrows').first().waitFor();
    expect(await name.count(), 'all escrows need no name').to.equal(0);
    await stage.page.getByLabel('Amount from').fill('50');
    await press('Apply');
    await name.fill('Large ones');
    await stage.page.keyboard.press('Enter');
    await stage.page.getByText('Saved.').waitFor();
    await stage.page.reload();
    expect(await views.locator('[aria-current]').innerText()).to.equal('Large ones');
    // With keys: to all of them, and back to the view.
    await views.getByRole('link', { name: 'All' }).focus();
    await stage.page.keyboard.press('Enter');
    await stage.page.waitForURL((url) => url.hash === '#/lists/escrows');
    await stage.page.keyboard.press('Tab');
    await stage.page.keyboard.press('Enter');
    await stage.page.waitForURL((url) => url.hash === '#/lists/escrows?min=50');
    const wanted = await listed('minAmount=50&limit=25');
    await until('the view is open', () => idsIn('List of escrows'), {
      is: (ids) => JSON.stringify(ids) === JSON.stringify(wanted),
    });
    expect(await stage.page.getByLabel('Amount from').inputValue()).to.equal('50');
    // Other lists have their own. The order of the parameters in a link makes no other view.
    await stage.window.visit('#/lists/contracts?min=50');
    await name.waitFor();
    expect(await views.count()).to.equal(0);
    await stage.window.visit('#/lists/escrows?status=funded&min=50');
    await name.fill('Funded');
    await press('Save');
    await stage.window.visit('#/lists/escrows?min=50&status=funded');
    expect(await name.inputValue()).to.equal('Funded');
    await name.fill('Held');
    await press('Rename');
    await views.getByText('Held').waitFor();
    expect(await called()).to.deep.equal(['All', 'Held', 'Large ones']);
    await name.fill('Large ones');
    await press('Rename');
    await stage.page.getByText('It replaces the earlier view of that name.').waitFor();
    expect(await called()).to.deep.equal(['All', 'Large ones']);
    await press('Remove');
    await stage.page.getByText('Removed.').waitFor();
    expect(await views.count()).to.equal(0);
    stage.window.expectQuiet();
  });

  it('come as CSV and JSON that say the same', async () => {
    await stage.window.visit('#/lists/escrows');
    await rows('List of escrows').first().waitFor();
    const taken = async (format: string) => {
      const coming = stage.page.waitForEvent('download');
      await stage.page.getByRole('button', { name: `Download escrows as ${format}` }).click();
      return readFileSync(await (await coming).path(), 'utf8');
    };
    const objects = JSON.parse(await taken('JSON'));
    const wanted = await listed('limit=100');
    expect(objects.map(({ id }: { id: string }) => `escrow/${id}`)).to.deep.equal(wanted);
    const [head, ...lines] = (await taken('CSV')).trimEnd().split('\r\n');
    const roles = ['depositor', 'beneficiary', 'arbiter'];
    expect(head!.split(',')).to.deep.equal([
      ...['id', 'kind', 'state', ...roles.flatMap((role) => [role, `${role}Name`])],
      ...['subject', 'subjectTitle', 'amount', 'released', 'refunded', 'remaining', 'createdAt', 'updatedAt'],
    ]);
    const named = objects.map(({ depositor, depositorName }: Body) => [depositor, depositorName]);
    const { names } = expectStatus(
      await stage.scene.node.client.get(`/api/v1/names?dids=${[...new Set(named.map(([did]: Body) => did))].join()}`),
    );
    const nameOf = Object.fromEntries(names.map(({ did, displayName }: Body) => [did, displayName]));
    for (const [did, name] of named) expect(name ?? null).to.equal(nameOf[did]);
    expect(
      named.some(([, name]: Body) => typeof name === 'string'),
      'one has a name',
    ).to.equal(true);
    expect(lines).to.have.length(wanted.length);
    expect(lines[0]).to.match(new RegExp(`^${objects[0].id},escrow,${objects[0].state},`));
    stage.window.expectQuiet();
  });

  it('are reached from an identity and an account', async () => {
    for (const from of ['#/identities/', '#/ledger/account/']) {
      await stage.window.visit(`${from}${stage.scene.ben.did}`);
      await stage.page.getByRole('link', { name: 'funded escrows' }).click();
      const wanted = await listed(`did=${stage.scene.ben.did}&status=funded`);
      await stage.page
        .getByText(wanted.length === 1 ? '1 escrow' : `1 to ${wanted.length} of ${wanted.length} escrows`, {
          exact: true,
        })
        .waitFor();
      expect(await idsIn('List of escrows')).to.deep.equal(wanted);
    }
    await stage.page.getByRole('link', { name: 'Orders' }).click();
    await rows('List of orders').first().waitFor();
    expect(stage.page.url()).to.include(encodeURIComponent(stage.scene.ben.did));
    stage.window.expectQuiet();
  });

  it('say which page there is not', async () => {
    const strange = [
      '#/lists/nothing',
      '#/ledger/supply',
      '#/ledger/accounts/x',
      '#/markets/x',
      '#/operator/x',
      '#/lists/escrows/x',
    ];
    for (const hash of strange) {
      await stage.window.visit(hash);
      await stage.page.getByText('There is no such page.').waitFor();
      expect(await stage.page.locator('.subviews [aria-current]').count(), hash).to.equal(0);
    }
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'are without violations, and fit', async (look) => {
    await stage.window.visit('#/lists/escrows?min=50');
    await stage.page.getByLabel('Name of this view').fill('Large ones');
    await stage.page.keyboard.press('Enter');
    for (const path of ['escrows', 'bids']) {
      await stage.window.visit(`#/lists/${path}`);
      await rows(`List of ${path}`).first().waitFor();
      await expectGood(stage.window, `lists-${path}-${look}`);
    }
  });
});

inBrowser('the console’s search', { open: sharedTown }, (stage) => {
  async function search(text: string): Promise<void> {
    await stage.page.keyboard.press('/');
    await stage.page.keyboard.type(text);
    await stage.page.keyboard.press('Enter');
  }

  it('leads by keyboard from any page to what a text identifies', async () => {
    const { escrow, ada, dataset } = stage.scene;
    const expected: readonly (readonly [text: string, hash: string])[] = [
      ['1', '#/ledger/entry/1'],
      [ada.did, `#/identities/${encodeURIComponent(ada.did)}`],
      [ada.address, `#/identities/${encodeURIComponent(ada.did)}`],
      [escrow.id, `#/charts/escrow/${escrow.id}`],
      [escrow.id.slice(0, -2), `#/charts/escrow/${escrow.id}`],
      [dataset.listingId, `#/markets/info/${dataset.listingId}`],
    ];
    await stage.window.visit('#/audit');
    for (const [text, hash] of expected) {
      await search(text);
      await stage.page.waitForURL((url) => url.hash === hash);
    }
    const { seq, chainHash } = expectStatus(await stage.scene.node.client.get(`/api/v1/events/${escrow.eventHash}`));
    for (const hash of [escrow.eventHash, chainHash]) {
      await search(hash);
      await stage.page.waitForURL((url) => url.hash === `#/ledger/entry/${seq}`);
      await stage.page.getByRole('heading', { name: /Entry \d+/ }).waitFor();
      await stage.page.goBack();
    }
    await search(escrow.eventHash);
    await stage.page.getByRole('heading', { name: /Entry \d+/ }).waitFor();
    await stage.page.goBack();
    await stage.page.waitForURL((url) => url.hash === expected.at(-1)![1]);
    stage.window.expectQuiet();
  });

  it('finds listings by their words, and identities by their names', async () => {
    await stage.window.visit();
    await search('rain hour');
    await stage.page.getByRole('link', { name: 'Rain by the hour, 1998 to 2025' }).click();
    await stage.page.getByRole('heading', { name: 'Listing “Rain by the hour, 1998 to 2025”' }).waitFor();
    await search('weather');
    await stage.page.getByRole('heading', { name: 'Matches' }).waitFor();
    await stage.page.locator('.matches').first().getByRole('link', { name: 'Ada’s Weather Desk' }).waitFor();
    // Several matches, so that the page offers a choice; each has the colour of its state.
    await search('esc-');
    await stage.page.locator('.matches .badge.good', { hasText: 'released' }).first().waitFor();
    await search('dispute');
    await stage.page.getByRole('link', { name: 'List of disputes' }).click();
    await stage.page.waitForURL((url) => url.hash === '#/lists/disputes');
    stage.window.expectQuiet();
  });

  it('leads to the search of guide and API, and that one back', async () => {
    const { page } = stage;
    await stage.window.visit();
    await search('weather');
    await page.getByRole('link', { name: 'Search guide and API' }).click();
    const parts = page.getByRole('navigation', { name: 'Parts of the node' });
    expect(await parts.getByRole('link').allTextContents()).to.include.members(['Console', 'Guide', 'API']);
    expect(await page.getByLabel('Search guide and API').inputValue()).to.equal('weather');
    await page.getByRole('link', { name: 'Search the node for “weather”' }).click();
    await page.getByRole('heading', { name: 'Matches' }).waitFor();
    expect(await parts.getByRole('link').allTextContents()).to.deep.equal(['Console', 'Guide', 'API']);
    stage.window.expectQuiet();
  });

  it('leads with keys alone from a name to the download of a proof', async () => {
    const { page } = stage;
    /** Presses Tab until the focus is there. */
    const tabTo = async (name: RegExp) => {
      for (let presses = 0; presses < 200; presses++) {
        await page.keyboard.press('Tab');
        const text = await page.evaluate(
          () => document.activeElement?.getAttribute('title') ?? document.activeElement?.textContent ?? '',
        );
        if (name.test(text)) return;
      }
      expect.fail(`no Tab leads to ${name}`);
    };
    const { ada, escrow } = stage.scene;
    await stage.window.visit();
    await search('weather desk');
    await page.waitForURL((url) => url.hash === `#/identities/${encodeURIComponent(ada.did)}`);
    await page.locator(`a[title="escrow/${escrow.id}"]`).first().waitFor();
    await tabTo(new RegExp(`^escrow/${escrow.id}$`));
    await page.keyboard.press('Enter');
    await page.getByText('proven here').waitFor();
    await tabTo(/^Download proof$/);
    const coming = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const proof = JSON.parse(readFileSync(await (await coming).path(), 'utf8'));
    expect(JSON.stringify(proof)).to.include(escrow.id);
    stage.window.expectQuiet();
  });

  it('says that nothing is called that, whatever was typed', async () => {
    await stage.window.visit();
    for (const text of ['zzz-nothing', `<svg onload="globalThis.caught=1">`, 'f'.repeat(64), '%', '9'.repeat(15)]) {
      await search(text);
      await stage.page.getByRole('heading', { name: `“${text}”` }).waitFor();
    }
    expect(await stage.page.evaluate(() => 'caught' in globalThis)).to.equal(false);
    stage.window.expectQuiet();
  });

  it('finds a name of the address book, which stays in the browser', async () => {
    const { cleo } = stage.scene;
    await stage.window.visit(`#/identities/${cleo.did}`);
    await stage.page.getByLabel('Your name for this DID').fill('Quiet Harbour');
    await stage.page.getByRole('button', { name: 'Save', exact: true }).click();
    await stage.page.getByText('Saved.').waitFor();
    await stage.page.reload();
    await stage.page.getByRole('heading', { name: 'Lists' }).or(stage.page.locator('main h1')).first().waitFor();
    await search('quiet h');
    await stage.page.waitForURL((url) => url.hash === `#/identities/${encodeURIComponent(cleo.did)}`);
    await stage.window.visit('#/ledger');
    await stage.page
      .getByRole('link', { name: /^Quiet Harbour/ })
      .first()
      .waitFor();
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    await stage.window.visit('#/find?text=a');
    await stage.page.getByRole('heading', { name: 'Listings' }).waitFor();
    await expectGood(stage.window, `find-${look}`);
  });
});
