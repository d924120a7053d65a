/**
 * A program `npx` that runs `svc-node` commands of shells in this process, at a tenth of their cost. As for a user, a node,
 * a command that reads standard input, and all commands if APART is set run in a process each.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { checkout } from './command.js';
import { runHere } from './here.js';

const script = (dir: string, socket: string) => `#!/bin/sh
shift
case "$APART $* " in
  1* | *' - '* | ' start '*) exec '${process.execPath}' '${join(checkout, 'bin', 'svc-node.mjs')}' "$@" ;;
esac
out=$(mktemp -d -p '${dir}')
code=$({ printf '%s\\0' "$out" "$PWD" "$#" "$@"; env -0 | grep -z '^SVC_'; } |
  curl -sS --fail --unix-socket '${socket}' --data-binary @- http://here/) || exit 70
cat "$out/stdout"
cat "$out/stderr" >&2
exit "$code"
`;

/** @returns the folder of the program, for PATH, and a function that ends it */
export async function npxIn(dir: string): Promise<{ readonly bin: string; close(): void }> {
  async function answer(request: IncomingMessage): Promise<string> {
    const [out = '', cwd = '', count, ...rest] = (await buffer(request)).toString().split('\0');
    const words = rest.slice(0, Number(count));
    const variables = rest.slice(Number(count), -1).map((each) => each.split(/=(.*)/s).slice(0, 2));
    const before = process.cwd();
    process.chdir(cwd);
    const { code, stdout, stderr } = await runHere(words, Object.fromEntries(variables)).finally(() =>
      process.chdir(before),
    );
    writeFileSync(join(out, 'stdout'), stdout);
    writeFileSync(join(out, 'stderr'), stderr);
    return String(code);
  }
  const server = createServer(async (request, response) => response.end(await answer(request)));
  const socket = join(dir, 'npx.sock');
  await new Promise<void>((listening) => server.listen(socket, listening));
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npx'), script(dir, socket), { mode: 0o755 });
  return { bin, close: () => void server.close() };
}
