/**
 * The control socket (decisions.md, API keys): who may open `<data>/control.sock` (0600) is the node's operator and
 * needs no key. The command line is its only client.
 */
import { existsSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import process from 'node:process';
import { type Answer, controlBounds, lineOf, type OnProgress, type Question } from './control/protocol.js';
import { withShortPath } from './control/socket-path.js';
import type { Log } from './http/log.js';
import type { JsonObject } from './machines/kernel/canonical.js';
import { isRefusal, type Refusal } from './machines/kernel/refusal.js';

export { type ControlParts, controlHandlers } from './control/handlers.js';
export { controlPath } from './control/socket-path.js';

export type ControlHandler = (input: JsonObject, onProgress: OnProgress) => Promise<JsonObject | Refusal>;
export type ControlHandlers = { readonly [act: string]: ControlHandler };

export interface ControlOptions {
  /** Of the socket: `controlPath(dataDir)`. */
  readonly path: string;
  readonly handlers: ControlHandlers;
  readonly log: Log;
}

export interface Control {
  /** Stops listening and cuts connections; what is being done goes on. */
  close(): Promise<void>;
}

/**
 * Listens; what a dead process left at the path is replaced. Where the file system has no sockets the node does
 * without one, and says so in the log: its API is not worth less for it.
 */
export async function openControl({ path, handlers, log }: ControlOptions): Promise<Control> {
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

/** Whether a living process listens there, which must not lose its socket to us. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** Node binds within listen(), so the mask makes the socket 0600 from its first moment. */
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
  const say = (answer: Answer) => {
    if (socket.writable) socket.write(lineOf(answer));
  };
  let heard = '';
  socket.setEncoding('utf8');
  socket.setTimeout(controlBounds.questionMs, () => socket.destroy());
  // A command that was interrupted; whatever it asked for is done all the same.
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
  say: (answer: Answer) => void,
): Promise<Answer> {
  const question = parseQuestion(text);
  const handler = question && Object.hasOwn(handlers, question.act) ? handlers[question.act] : undefined;
  if (!question || !handler) return { failed: 'the node does not know what it was asked: is it another version?' };
  try {
    const outcome = await handler(question.input, (...progress) => say({ progress }));
    if (isRefusal(outcome)) return { refused: { code: outcome.code, detail: outcome.detail } };
    return { done: outcome };
  } catch (error) {
    log.error({ err: error, act: question.act }, 'a control command failed');
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

function parseQuestion(text: string): Question | undefined {
  try {
    const { act, input } = JSON.parse(text) as Partial<Question>;
    return typeof act === 'string' && typeof input === 'object' && input !== null ? { act, input } : undefined;
  } catch {
    return undefined; // no JSON: not one of ours
  }
}
