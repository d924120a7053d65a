/**
 * Clients in a separate thread that send a lot and read nothing, so that the thread that measures the node is not slowed
 * down.
 */
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface Flood {
  readonly port: number;
  readonly connections: number;
  /** Source addresses, used in turn. */
  readonly addresses: readonly string[];
  /** Texts that connections send at once. Each text is used for all addresses before the next one is. */
  readonly texts: readonly string[];
}

const { port, connections, addresses, texts } = workerData as Flood;
const open = new Map<net.Socket, string>();

for (let index = 0; index < connections; index++) {
  const localAddress = addresses[index % addresses.length]!;
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  socket.pause();
  socket.on('error', () => {});
  socket.on('close', () => open.delete(socket));
  open.set(socket, texts[Math.floor(index / addresses.length) % texts.length]!);
  if (index % 20 === 19) await wait(5);
}
while ([...open.keys()].some(({ connecting }) => connecting)) await wait(10);
parentPort!.postMessage('connected');
for (const [socket, text] of open) socket.write(text);

parentPort!.on('message', () => {
  for (const socket of open.keys()) socket.destroy();
  parentPort!.close();
});
