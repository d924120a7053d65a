/** Peers in Python, which were written from the documents alone (test/hostile/peers/python). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';

/** `describe`, skipped where Python or its library is missing. */
export const describeInPython =
  spawnSync('python3', ['-c', 'import cryptography']).status === 0 ? describe : describe.skip;

export function startPython(
  script: string,
  args: readonly string[],
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const path = join('test/hostile/peers/python', script);
  return spawn('python3', ['-B', path, ...args], { stdio: [stdin, 'pipe', 'inherit'] });
}

/** What a script has printed, once it has ended without an error. */
export async function outputOf(script: string, ...args: readonly string[]): Promise<string> {
  const child = startPython(script, args);
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const [status] = await once(child, 'close');
  expect(status, `${script} ${args.join(' ')}: ${output}`).to.equal(0);
  return output.trim();
}
