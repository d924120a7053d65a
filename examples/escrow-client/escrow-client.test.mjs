/**
 * The client, along every path of the escrow's machine: nobody has written these cases down. Each path brings an escrow
 * into one situation; then everything is asked that must be refused there.
 */
import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { fill, paths } from 'svc-node/model';
import { EscrowClient, Refused } from './escrow-client.mjs';

/** A devnet node on this machine: it needs no key there. */
const url = process.env.SVC_URL ?? 'http://127.0.0.1:9528';

async function post(path, body) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, await response.clone().text());
  return response.json();
}

/** Everybody of the path's cast: a DID, and a client that signs with it. */
async function castOf({ cast, payer }) {
  const people = {};
  for (const name of cast) {
    const passphrase = `the passphrase of ${name}`;
    const { did } = await post('/identities', { passphrase });
    people[name] = { did, client: new EscrowClient(url, { did, passphrase }) };
  }
  // The faucet gives 100 Tokens, which is more than a path takes.
  if (payer) await post('/faucet', { did: people[payer.name].did });
  return people;
}

/** What the client is asked for a step of the model. */
function does(client, escrow, { action }, { amount, reason, ...claim }) {
  if (action === 'fund') return client.fund(escrow, amount);
  if (action === 'release') return client.release(escrow, amount, claim);
  if (action === 'refund') return client.refund(escrow, amount, reason);
  return client[action](escrow);
}

for (const path of paths('escrow', { steps: 3, setting: 'revocable, released by hand' })) {
  test(`an escrow that is ${path.name}`, async () => {
    const people = await castOf(path);
    const names = Object.fromEntries(Object.entries(people).map(([name, { did }]) => [name, did]));
    const values = (escrow) => ({ ...names, ...escrow, now: Date.now() });
    // The client signs by itself: of a step's body it is given what is beside the signature.
    const input = (step, escrow) => {
      const { did, passphrase, nonce, resourcePrev, ...rest } = step.body;
      return fill(rest, values(escrow));
    };

    const [creation] = path.setUp;
    let escrow = await people[creation.by].client.create(input(creation, {}));
    for (const step of path.steps) {
      escrow = await does(people[step.by].client, escrow, step, input(step, escrow));
      assert.equal(escrow.status, step.expects.state);
    }

    for (const step of path.refusals) {
      const { code, status } = step.expects;
      const asked = does(people[step.by].client, escrow, step, input(step, escrow));
      await assert.rejects(
        asked,
        (error) => error instanceof Refused && error.code === code && error.status === status,
        `${step.by} may not ${step.action}`,
      );
    }
    assert.equal(await people[creation.by].client.status(escrow.escrowId), path.state);
  });
}
