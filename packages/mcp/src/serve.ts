/** Serves an agent over stdio, for the host that has started this process. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Agent, type AgentOptions } from './agent.js';
import { serverFactory } from './server.js';

/** Until standard input ends. @param onError gets the errors that no caller hears */
export function serveOverStdio(options: AgentOptions, version: string, onError: (error: Error) => void): Promise<void> {
  const factory = serverFactory({ agent: new Agent(options), version, mayElicit: true });
  return new Promise((resolve) => {
    const handle = serveStdio(factory, { onerror: onError });
    process.stdin.once('close', () => void handle.close().then(resolve));
  });
}
