/**
 * A program that uses the client in any JavaScript runtime: it writes, waits, iterates, follows, and is refused. It uses only
 * the client that it is given, and returns what it found.
 */
const passphrase = 'correct horse battery staple';

/** @param key API key, where the node requires one */
export async function tour({ Client, NotReachedError }, { url, key }) {
  const client = new Client(key === undefined ? { url } : { url, key });
  const [ada, ben] = await Promise.all([1, 2].map(() => client.identities.create(passphrase)));
  await client.faucet.claim(ada.did);
  const signed = client.as({ did: ada.did, passphrase });
  const seen = [];
  const { head } = await client.events.list({ limit: 1 });
  const stop = new AbortController();
  const following = (async () => {
    for await (const { event } of client.events.stream({ after: head, issuer: ada.did }, { signal: stop.signal })) {
      seen.push(event.type);
      if (seen.length === 5) stop.abort();
    }
  })();
  await Promise.all([1, 2, 3].map((amount) => signed.wallets.transfer({ to: ben.did, amount })));
  const escrow = await signed.escrows.create({
    ...{ beneficiary: ben.did, amount: 10, autoFund: true },
    releaseRules: [{ type: 'manual' }],
  });
  const released = client.escrows.waitFor(escrow, 'released');
  await signed.escrows.release(escrow, { amount: 10 });
  const { status } = await released;
  await following;
  const amounts = [];
  for await (const { amount } of client.wallets.transactions(ada.did, { type: 'sent', limit: 2 })) amounts.push(amount);
  const refused = await signed.wallets.transfer({ to: ben.did, amount: 1000 }).catch((error) => error);
  const late = await client.escrows.waitFor(escrow.id, 'expired', { timeoutMs: 1_000 }).catch((error) => error);
  const { balance } = await client.wallets.get(ben.did);
  return {
    ...{ seen, status, balance, refusal: refused.refusal, sent: amounts.sort() },
    isLate: late instanceof NotReachedError,
  };
}
