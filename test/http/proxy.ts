/** A real nginx or HAProxy on a free port, in front of a server under test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../../src/core/refusal.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

export type ProxyKind = 'nginx' | 'haproxy';

const runs: { readonly [K in ProxyKind]: (dir: string) => readonly string[] } = {
  nginx: (dir) => ['-p', dir, '-c', join(dir, 'conf'), '-e', 'stderr'],
  haproxy: (dir) => ['-db', '-f', join(dir, 'conf')],
};

export const isInstalled = (kind: ProxyKind): boolean => spawnSync(kind, ['-v']).status === 0;

export interface RunningProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** @param directives nginx: of its location; HAProxy: of its backend */
export async function startProxy(
  kind: ProxyKind,
  target: number,
  directives: readonly string[] = [],
): Promise<RunningProxy> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-test-proxy-'));
  const port = await freePort();
  writeFileSync(join(dir, 'conf'), configs[kind]({ dir, port, target, directives: directives.join('\n') }));
  const child = spawn(kind, runs[kind](dir), { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  await until(`${kind} starts`, () => {
    assert(child.exitCode === null, `${kind} starts: ${said}`);
    return isOpen(port);
  });
  return { port, stop: () => stop(child, dir) };
}

interface Setting {
  readonly dir: string;
  readonly port: number;
  readonly target: number;
  readonly directives: string;
}

const configs: { readonly [K in ProxyKind]: (setting: Setting) => string } = {
  nginx: ({ dir, port, target, directives }) => `
    daemon off; worker_processes 1; pid ${dir}/pid; events {}
    http {
      access_log off; client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy;
      fastcgi_temp_path ${dir}/fastcgi; uwsgi_temp_path ${dir}/uwsgi; scgi_temp_path ${dir}/scgi;
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://127.0.0.1:${target}; ${directives} }
      }
    }`,
  haproxy: ({ port, target, directives }) => `
defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
frontend front
  bind 127.0.0.1:${port}
  default_backend back
backend back
  ${directives}
  server one 127.0.0.1:${target}
`,
};

async function stop(child: ChildProcess, dir: string): Promise<void> {
  if (child.exitCode === null) {
    child.kill();
    await once(child, 'exit');
  }
  rmSync(dir, { recursive: true, force: true });
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
