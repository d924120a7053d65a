/**
 * Clients in a separate thread that request a lot and read nothing, so that the thread that measures the node is not slowed
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
  readonly paths: readonly string[];
  /** Requests that a connection sends at once, all to the same path. */
  readonly pipelined: number;
}

const { port, connections, addresses, paths, pipelined } = workerData as Flood;
const open = new Map<net.Socket, string>();

for (let index = 0; index < connections; index++) {
  const localAddress = addresses[index % addresses.length]!;
  const path = paths[Math.floor(index / addresses.length) % paths.length]!;
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  socket.pause();
  socket.on('error', () => {});
  socket.on('close', () => open.delete(socket));
  const requests = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(pipelined);
  open.set(socket, requests);
  if (index % 20 === 19) await wait(5);
}
while ([...open.keys()].some(({ connecting }) => connecting)) await wait(10);
parentPort!.postMessage('connected');
for (const [socket, requests] of open) socket.write(requests);

parentPort!.on('message', () => {
  for (const socket of open.keys()) socket.destroy();
  parentPort!.close();
});
