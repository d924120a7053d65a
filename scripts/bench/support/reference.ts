/**
 * The reference that the node is measured against. A POST does the least work of a durable signed write: Koa, the
 * router, koa-bodyparser, canonical JSON, SHA-256, an Ed25519 signature, and one row that shares an fsync with others.
 * A GET returns bytes that were captured from the node, behind as many routes as the node has.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import Database from 'libsql';
import { canonical } from '../../../src/core/canonical.js';
import { answerParent } from './child.js';
import type { RoutePattern } from './node-process.js';

/** A route, and the captured reply of its GET if it is measured. */
export interface BareRoute extends RoutePattern {
  readonly body?: string;
}

export type ReferenceQuestion =
  | { readonly ask: 'write'; readonly dir: string }
  | { readonly ask: 'read'; readonly routes: readonly BareRoute[] };

/** Groups rows: those that arrive while a group is written form the next one. */
class Group {
  readonly #database;
  readonly #insert;
  #waiting: { hash: string; text: string; signature: string; done: () => void }[] = [];

  constructor(dir: string) {
    this.#database = new Database(join(dir, 'reference.db'));
    this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec('PRAGMA synchronous = FULL');
    this.#database.exec(
      'CREATE TABLE journal (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, text TEXT NOT NULL, signature TEXT NOT NULL)',
    );
    this.#insert = this.#database.prepare('INSERT INTO journal (hash, text, signature) VALUES (?,?,?)');
  }

  add(hash: string, text: string, signature: string): Promise<void> {
    return new Promise((done) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#write());
      this.#waiting.push({ hash, text, signature, done });
    });
  }

  #write(): void {
    const group = this.#waiting;
    this.#waiting = [];
    this.#database.exec('BEGIN IMMEDIATE');
    for (const { hash, text, signature } of group) this.#insert.run([hash, text, signature]);
    this.#database.exec('COMMIT');
    for (const { done } of group) done();
  }
}

/** The types of the router's middleware and of Koa's don't meet under exactOptionalPropertyTypes. */
function koaOf(...middlewares: unknown[]): Koa {
  const app = new Koa();
  for (const each of middlewares) app.use(each as Koa.Middleware);
  return app;
}

function writeServer(dir: string): Koa {
  const { privateKey } = generateKeyPairSync('ed25519');
  const group = new Group(dir);
  const router = new Router();
  router.post('/api/v1/transfers', async (ctx) => {
    const text = canonical(ctx.request.body);
    const hash = createHash('sha256').update(text).digest('hex');
    const signature = sign(null, Buffer.from(text), privateKey).toString('base64url');
    await group.add(hash, text, signature);
    ctx.body = { hash, signature };
  });
  return koaOf(bodyParser(), router.routes());
}

function readServer(routes: readonly BareRoute[]): Koa {
  const router = new Router();
  for (const { method, path, body } of routes) {
    router.register(path, [method], (ctx) => {
      ctx.type = 'application/json';
      ctx.body = body ?? '{}';
    });
  }
  return koaOf(router.routes());
}

answerParent(async (question: ReferenceQuestion): Promise<string> => {
  const app = question.ask === 'write' ? writeServer(question.dir) : readServer(question.routes);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
process.once('SIGTERM', () => process.exit(0));
