/**
 * The control socket (docs/reference/access.md#api-keys): a user who can open `<data>/control.sock` (0600) is the
 * node's operator and needs no key. The command line is its only client.
 */
import { existsSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import process from 'node:process';
import type { JsonObject } from '../../core/canonical.js';
import { messageOf } from '../../core/error-message.js';
import type { Log } from '../../core/log.js';
import { isRefusal, type Refusal } from '../../core/refusal.js';
import { type ControlRequest, type ControlResponse, controlBounds, lineOf, type OnProgress } from './protocol.js';
import { withShortPath } from './socket-path.js';

export type ControlHandler = (input: JsonObject, onProgress: OnProgress) => Promise<JsonObject | Refusal>;
export type ControlHandlers = { readonly [act: string]: ControlHandler };

export interface ControlOptions {
  /** Path of the socket: `controlPath(dataDir)`. */
  readonly path: string;
  readonly handlers: ControlHandlers;
  readonly log: Log;
}

export interface ControlServer {
  /** Stops listening and closes connections; running commands finish. */
  close(): Promise<void>;
}

/**
 * Listens on the socket and replaces the file of a dead process. On a file system without sockets the node logs the error
 * and runs without, because its API does not need it.
 */
export async function openControl({ path, handlers, log }: ControlOptions): Promise<ControlServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    converse(socket, handlers, log);
  });
  server.maxConnections = controlBounds.connections;
  try {
    await withShortPath(path, async (short) => {
      if (existsSync(path) && !(await isAnswered(short))) rmSync(path);
      await listen(server, short);
    });
  } catch (error) {
    log.error({ err: error, path }, 'no control socket: commands that speak to this node will not find it');
    return { close: async () => {} };
  }
  server.on('error', (error) => log.error({ err: error }, 'the control socket failed'));
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
      rmSync(path, { force: true });
    },
  };
}

/** Whether a running process listens there; its socket must not be replaced. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Listens with a umask that makes the socket 0600 from the start, because Node.js binds within listen(). */
function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const mask = process.umask(0o177);
    try {
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}

function converse(socket: Socket, handlers: ControlHandlers, log: Log): void {
  const say = (answer: ControlResponse) => {
    if (socket.writable) socket.write(lineOf(answer));
  };
  let heard = '';
  socket.setEncoding('utf8');
  socket.setTimeout(controlBounds.questionMs, () => socket.destroy());
  // The command was interrupted; its request is still completed.
  socket.on('error', (error) => log.debug({ err: error }, 'a control connection broke'));
  socket.on('data', (chunk: string) => {
    heard += chunk;
    const end = heard.indexOf('\n');
    if (end < 0 && heard.length <= controlBounds.question) return;
    socket.removeAllListeners('data');
    socket.setTimeout(0);
    void answer(heard.slice(0, end), handlers, log, say).then((last) => socket.end(lineOf(last)));
  });
}

async function answer(
  text: string,
  handlers: ControlHandlers,
  log: Log,
  say: (answer: ControlResponse) => void,
): Promise<ControlResponse> {
  const question = parseQuestion(text);
  const handler = question && Object.hasOwn(handlers, question.act) ? handlers[question.act] : undefined;
  if (!question || !handler) return { failed: 'the node does not know this command: is it another version?' };
  try {
    const outcome = await handler(question.input, (...progress) => say({ progress }));
    if (isRefusal(outcome)) return { refused: { code: outcome.code, detail: outcome.detail } };
    return { done: outcome };
  } catch (error) {
    log.error({ err: error, act: question.act }, 'a control command failed');
    return { failed: messageOf(error) };
  }
}

function parseQuestion(text: string): ControlRequest | undefined {
  try {
    const { act, input } = JSON.parse(text) as Partial<ControlRequest>;
    return typeof act === 'string' && typeof input === 'object' && input !== null ? { act, input } : undefined;
  } catch {
    return undefined; // not JSON: not a request of this protocol
  }
}
