/** Consumers of event streams, in a separate process so that their CPU time is not counted as the node's. */
import net from 'node:net';
import { answerParent } from './child.js';

export type StreamQuestion =
  /** @returns when each stream has received its first bytes */
  | { readonly ask: 'open'; readonly url: string; readonly query: string; readonly count: number }
  | { readonly ask: 'close' };

const open: net.Socket[] = [];

function consumer(url: URL, query: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(url.port), url.hostname, () => {
      socket.write(
        `GET /api/v1/events/stream${query} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: text/event-stream\r\n\r\n`,
      );
    });
    socket.once('data', () => resolve(socket)).resume();
    socket.on('error', reject);
  });
}

answerParent(async (question: StreamQuestion): Promise<number> => {
  for (const socket of open.splice(0)) socket.destroy();
  if (question.ask === 'close') return 0;
  const { url, query, count } = question;
  while (open.length < count) {
    // More at once could be refused as an overload.
    const some = Math.min(100, count - open.length);
    open.push(...(await Promise.all(Array.from({ length: some }, () => consumer(new URL(url), query)))));
  }
  return open.length;
});
