/**
 * Whether a loopback connection was made by a proxy or a tunnel on behalf of a remote caller. HAProxy, `ssh -R` and
 * nginx with HTTP/1.1 send nothing that shows it: the remote caller's own `Host` arrives unchanged. So the operating
 * system is asked which program holds the connection. Linux only; programs under other names are not recognised.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { bounds } from '../../core/bounds.js';
import { type Environment, pause } from '../../core/environment.js';

/**
 * Names as the kernel has them: 15 characters at most. `sshd` is not listed, because a person who logs in over ssh is
 * on this machine.
 */
const forwarderNames = new Set([
  ...['apache2', 'caddy', 'envoy', 'haproxy', 'httpd', 'nginx', 'squid', 'traefik', 'varnishd', 'cache-main'],
  ...[
    'chisel',
    'cloudflared',
    'docker-proxy',
    'frpc',
    'ngrok',
    'rathole',
    'redir',
    'rinetd',
    'socat',
    'ssh',
    'stunnel',
  ],
  ...['stunnel4', 'tailscaled', 'tor'],
]);

/** Connections that no forwarder holds, by their two ports as `<theirs> <ours>`; undefined: no forwarder runs. */
type Direct = ReadonlySet<string> | undefined;

export class Forwarders {
  #noneUntil = Number.NEGATIVE_INFINITY;
  #looking: Promise<Direct> | undefined;
  #next: Promise<Direct> | undefined;

  constructor(private readonly world: Environment) {}

  /** Whether the other end of a loopback connection is a forwarder, or has gone. */
  isPeer({ remotePort, localPort }: Socket): boolean | Promise<boolean> {
    if (process.platform !== 'linux' || this.world.monotonic() < this.#noneUntil) return false;
    if (!this.#looking && forwardersRunning().length === 0) {
      this.#noneUntil = this.world.monotonic() + bounds.forwardersKnownMs;
      return false;
    }
    const pair = `${remotePort} ${localPort}`;
    return this.#look().then((direct) => direct !== undefined && !direct.has(pair));
  }

  /** Waits for a scan that begins after this call. One scan runs at a time; all calls during it share the next one. */
  #look(): Promise<Direct> {
    const after = this.#looking?.then(() => pause(this.world, bounds.forwardersLookMs));
    this.#next ??= Promise.resolve(after).then(() => {
      this.#looking = this.#next;
      this.#next = undefined;
      return directConnections().finally(() => {
        this.#looking = undefined;
      });
    });
    return this.#next;
  }
}

/** Process ids of running forwarders. */
function forwardersRunning(): string[] {
  return processes().filter((name) => {
    const first = name.charCodeAt(0);
    if (first < 48 || first > 57) return false;
    try {
      return forwarderNames.has(readFileSync(`/proc/${name}/comm`, 'latin1').trimEnd());
    } catch {
      return false; // the process has ended
    }
  });
}

function processes(): string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return []; // not on this operating system
  }
}

async function directConnections(): Promise<Direct> {
  const forwarders = forwardersRunning();
  if (forwarders.length === 0) return undefined;
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')),
  );
  const owners = forwarders.map(socketsOf);
  const direct = new Set<string>();
  const forwarded = new Set<string>();
  for (const line of tables.join('\n').split('\n')) {
    const [, local = '', remote = '', , , , , uid = '', , inode = '0'] = line.trim().split(/\s+/);
    const pair = `${portOf(local)} ${portOf(remote)}`;
    // Without an inode, no process holds the connection any more.
    const isForwarders = inode === '0' || owners.some((owner) => owner.inodes?.has(inode) ?? owner.uid === uid);
    (isForwarders ? forwarded : direct).add(pair);
  }
  for (const pair of forwarded) direct.delete(pair);
  return direct;
}

/** The sockets of a process; only its user id if this process may not read them. */
function socketsOf(pid: string): { readonly inodes?: ReadonlySet<string>; readonly uid?: string } {
  try {
    const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
    return { inodes: new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])) };
  } catch {
    try {
      return { uid: String(statSync(`/proc/${pid}`).uid) };
    } catch {
      return { inodes: new Set() }; // the process has ended
    }
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}

/** `0100007F:2538` → 9528 */
const portOf = (address: string): number => Number.parseInt(address.slice(address.indexOf(':') + 1), 16);
