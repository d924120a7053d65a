import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections, and to listeners that take any port. */
const ports = [10_000, 30_000] as const;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** A free port of 127.0.0.1, for what has to know its port before it listens, or listens there again after a pause. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...ports);
    if (await isFree(port)) return port;
  }
}
