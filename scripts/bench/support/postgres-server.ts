/** Transfers in PostgreSQL: the least of double entry, called by 64 clients directly or behind an HTTP server. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { realEnvironment as world } from '../../../src/core/environment.js';
import { answerParent, cpuMicros } from './child.js';
import { type Measured, Tally } from './tally.js';

/** As many as the load has connections. */
const clients = 64;

/** What a request of the load has, of what counts here. */
interface Transfer {
  readonly did: string;
  readonly to: string;
  readonly amount: number;
  readonly nonce: number;
  readonly memo: string;
}

export interface Server {
  readonly url: string;
  /** Of the connections to the database. */
  readonly backends: readonly number[];
}

export type PostgresQuestion =
  | { readonly ask: 'open'; readonly socketDir: string; readonly dids: readonly string[] }
  | {
      readonly ask: 'drive';
      readonly dids: readonly string[];
      readonly seconds: number;
      readonly counted: readonly number[];
    }
  | { readonly ask: 'size' };

/** Locks both balances in the order of their keys, so that opposite transfers don't wait for each other. */
const schema = `
  CREATE TABLE account (did text PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0), nonce bigint NOT NULL);
  CREATE TABLE journal (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payer text NOT NULL, payee text NOT NULL,
    amount bigint NOT NULL, nonce bigint NOT NULL, memo text NOT NULL, at timestamptz NOT NULL DEFAULT now());
  CREATE FUNCTION pay(payer text, payee text, amount bigint, memo text) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE next bigint; number bigint;
  BEGIN
    PERFORM 1 FROM account WHERE did IN (payer, payee) ORDER BY did FOR UPDATE;
    UPDATE account SET balance = balance - amount, nonce = nonce + 1 WHERE did = payer RETURNING nonce INTO next;
    UPDATE account SET balance = balance + amount WHERE did = payee;
    INSERT INTO journal (payer, payee, amount, nonce, memo) VALUES (payer, payee, amount, next, memo)
      RETURNING seq INTO number;
    RETURN number;
  END $$;`;

let pool: pg.Pool;

async function pay({ did, to, amount, memo }: Omit<Transfer, 'nonce'>): Promise<string> {
  const { rows } = await pool.query<{ pay: string }>({
    name: 'pay',
    text: 'SELECT pay($1, $2, $3, $4)',
    values: [did, to, amount, memo],
  });
  return rows[0]!.pay;
}

async function bodyOf(request: IncomingMessage): Promise<Transfer> {
  let text = '';
  for await (const some of request) text += some;
  return JSON.parse(text) as Transfer;
}

async function open(socketDir: string, dids: readonly string[]): Promise<Server> {
  pool = new pg.Pool({ host: socketDir, user: 'postgres', database: 'postgres', max: clients, min: clients });
  const first = await pool.connect();
  const { rows } = await first.query<{ known: boolean }>("SELECT to_regclass('account') IS NOT NULL AS known");
  if (!rows[0]!.known) await first.query(schema);
  await first.query('INSERT INTO account SELECT unnest($1::text[]), 1000000000, 0 ON CONFLICT DO NOTHING', [dids]);
  const all = [first, ...(await Promise.all(Array.from({ length: clients - 1 }, () => pool.connect())))];
  const backends = await Promise.all(
    all.map(async (client) => Number((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid)),
  );
  for (const client of all) client.release();
  const server = createServer((request, response) => {
    // The load asks for nonces, which do not count here.
    if (request.method !== 'POST') return response.writeHead(404).end();
    void bodyOf(request)
      .then(pay)
      .then((seq) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ seq })));
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, backends };
}

/** @param counted processes whose CPU time is the server's: this one is the client */
async function drive(dids: readonly string[], seconds: number, counted: readonly number[]): Promise<Measured> {
  const tally = new Tally();
  const busy = Array.from({ length: clients }, async (_, index) => {
    const [did, to] = [dids[index % dids.length]!, dids[(index + 1 + index) % dids.length]!];
    while (!tally.isStopped) {
      const sentAt = world.monotonic();
      await pay({ did, to, amount: 1, memo: 'of a benchmark' });
      tally.add(sentAt);
    }
  });
  const measured = await tally.measure(seconds, () => counted.reduce((sum, pid) => sum + cpuMicros(pid), 0));
  await Promise.all(busy);
  return measured;
}

/** Bytes of the database without its log of writes, for each transfer. */
async function size(): Promise<number> {
  await pool.query('CHECKPOINT');
  const { rows } = await pool.query(
    `SELECT (pg_total_relation_size('journal') + pg_total_relation_size('account'))::float8
       / (SELECT count(*) FROM journal) AS each`,
  );
  return rows[0].each;
}

answerParent((question: PostgresQuestion): Promise<Server | Measured | number> => {
  if (question.ask === 'open') return open(question.socketDir, question.dids);
  if (question.ask === 'drive') return drive(question.dids, question.seconds, question.counted);
  return size();
});
process.once('SIGTERM', () => process.exit(0));
