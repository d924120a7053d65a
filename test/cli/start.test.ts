import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { checkout, ended, spawnCommand, svcNode, track } from './support/command.js';
import { runHere } from './support/here.js';
import { faucet, get, startNode } from './support/node.js';

const text = (child: ChildProcessWithoutNullStreams, until: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      heard += chunk;
      if (heard.includes(until)) resolve(heard);
    });
  });

/** A data directory with a folder in place of a file: it can't be opened even by root. */
function withFolder(name: string): string {
  const dir = scratch();
  mkdirSync(join(dir, name));
  return dir;
}

function openToAll(): string {
  const dir = scratch();
  chmodSync(dir, 0o777);
  return dir;
}

/** A data directory with a link to a file elsewhere, which a start must not overwrite. */
function withLink(name: string): string {
  const dir = scratch();
  symlinkSync(join(scratch(), 'precious'), join(dir, name));
  return dir;
}

/** A readable file that is not PEM. */
function badPem(): NodeJS.ProcessEnv {
  const file = join(scratch(), 'bad.pem');
  writeFileSync(file, 'no certificate');
  return { SVC_TLS_CERT: file, SVC_TLS_KEY: file };
}

describe('svc-node start', () => {
  after(tidy);

  it('prints where the API and its page are, the data, the DID, the passphrase file, and how to stop', async () => {
    const dir = scratch();
    const child = spawnCommand(['start', '--port', '0', '--data', dir]);
    const over = ended(child);
    const banner = await text(child, 'Stop with');
    const { url, pid } = JSON.parse(readFileSync(join(dir, 'api.json'), 'utf8')) as { url: string; pid: number };
    expect(pid).to.equal(child.pid);
    expect(banner).to.include(`${url}/api/v1`).and.include(`${url}/docs`).and.include(dir);
    expect(banner).to.match(/Node +did:svc:z6Mk\w+/);
    expect(banner).to.include(`wrote the passphrase to ${join(dir, 'passphrase')}`);
    expect(banner).to.include('Ctrl-C');
    expect((await fetch(`${url}/docs`)).status).to.equal(200);
    child.kill('SIGTERM');
    expect((await over).code).to.equal(0);
  });

  it('is found by api.json where it listens, whatever it is called in public', async () => {
    const dir = scratch();
    const publicUrl = 'https://node.example.org/ledger';
    const node = await startNode(dir, [], { env: { SVC_PUBLIC_URL: publicUrl } });
    expect(node.url).to.equal(publicUrl);
    const { url, ...more } = JSON.parse(readFileSync(join(dir, 'api.json'), 'utf8')) as { url: string; pid: number };
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(more).to.deep.equal({ pid: node.pid });
    expect((await get(`${url}/api/v1/node`)).body).to.include({ did: node.did });
    expect((await svcNode(['status', '--json', '--data', dir])).code).to.equal(0);
    await node.stop();
  });

  it('says with --json one line, which programs can read', async () => {
    const node = await startNode();
    expect(node).to.include({ network: 'devnet', isNew: true, docs: `${node.url}/docs` });
    expect(node.passphraseFile).to.equal(join(node.dataDir, 'passphrase'));
    expect(statSync(node.passphraseFile!).mode & 0o777).to.equal(0o600);
    expect((await get(`${node.url}/api/v1/node`)).body).to.include({ did: node.did, network: 'devnet' });
    const end = await node.stop();
    expect(end.stdout.trim().split('\n')).to.have.length(1);
  });

  it('ends with 0 on SIGTERM, SIGINT and SIGHUP, and leaves neither api.json nor a socket behind', async () => {
    const dir = scratch();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const node = await startNode(dir);
      const before = realEnvironment.monotonic();
      expect(await node.stop(signal)).to.include({ code: 0, signal: null });
      expect(realEnvironment.monotonic() - before).to.be.below(10_000);
      for (const file of ['api.json', 'control.sock']) expect(existsSync(join(dir, file)), file).to.equal(false);
    }
  });

  it('ends with 0 also while its chain is being started', async () => {
    const dir = scratch();
    for (const afterMs of [0, 300]) {
      const node = await startNode(dir, [], { env: { SVC_CHAIN: 'auto' } });
      await pause(realEnvironment, afterMs);
      const end = await node.stop();
      expect(end, end.stderr).to.include({ code: 0, signal: null });
      for (const file of ['api.json', 'control.sock']) expect(existsSync(join(dir, file)), file).to.equal(false);
    }
  });

  it('finishes within 10 s with a client that never hangs up', async () => {
    const node = await startNode();
    const stream = await fetch(`${node.url}/api/v1/events/stream`);
    const before = realEnvironment.monotonic();
    expect((await node.stop()).code).to.equal(0);
    expect(realEnvironment.monotonic() - before).to.be.below(10_000);
    await stream.body?.cancel().catch(() => {});
  });

  it('takes two signals of one Ctrl-C for one, and ends at once on a later one', async () => {
    const twice = await startNode();
    twice.signal('SIGINT');
    expect((await twice.stop('SIGINT')).code).to.equal(0);

    const node = await startNode();
    // A request whose body never arrives delays a clean stop.
    const { port } = new URL(node.url);
    const { connect } = await import('node:net');
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /api/v1/faucet HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 100\r\nExpect: 100-continue\r\n\r\n');
    // The response 100 Continue shows that the request is being handled.
    await once(socket, 'data');
    node.signal('SIGTERM');
    const isStopping = () =>
      fetch(`${node.url}/healthz`).then(
        () => false,
        () => true,
      );
    await until('it stops', isStopping);
    await pause(realEnvironment, 500);
    const before = realEnvironment.monotonic();
    expect((await node.stop('SIGTERM')).code).to.equal(143);
    // A clean stop would wait ten seconds for the request.
    expect(realEnvironment.monotonic() - before).to.be.below(8_000);
    socket.destroy();
  });

  it('refuses a second node on the data directory of a running one', async () => {
    const node = await startNode();
    const second = await svcNode(['start', '--port', '0', '--data', node.dataDir]);
    expect(second.code).to.equal(1);
    expect(second.stderr).to.equal(
      `svc-node: the data directory ${node.dataDir} is in use by process ${node.pid}: stop that one first, or use another directory (SVC_DATA_DIR)\n`,
    );
    expect((await get(`${node.url}/api/v1/node`)).status).to.equal(200);
    await node.stop();
  });

  it('starts again after kill -9, with the same DID and all that was acknowledged', async () => {
    const dir = scratch();
    const first = await startNode(dir);
    expect((await faucet(first, first.did)).status).to.equal(200);
    expect((await first.stop('SIGKILL')).signal).to.equal('SIGKILL');
    expect(existsSync(join(dir, 'control.sock'))).to.equal(true);
    expect((await svcNode(['status', '--data', dir])).code).to.equal(1);

    const second = await startNode(dir);
    expect(second).to.include({ did: first.did, isNew: false });
    expect((await get(`${second.url}/api/v1/wallets/${first.did}`)).body.balance).to.equal(100);
    expect((await svcNode(['api-key', 'list', '--data', dir])).code).to.equal(0);
    await second.stop();
  });

  it('names the port that another program has', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as { port: number };
    const end = await svcNode(['start', '--port', String(port), '--data', scratch()]);
    other.close();
    expect(end.code).to.equal(1);
    expect(end.stderr).to.equal(
      `svc-node: port ${port} of 127.0.0.1 is in use by another program: choose another with --port or SVC_PORT (0 takes a free one)\n`,
    );
  });

  it('says in a line each what is wrong with the configuration, and ends with 2', async () => {
    const env = { SVC_LOG_LEVEL: 'loud', SVC_NONSENSE: '1', SVC_PORT: '1e3' };
    const end = await runHere(['start', '--data', scratch()], env);
    expect(end.code).to.equal(2);
    expect(end.stderr.trim().split('\n')).to.have.length(3);
    for (const name of Object.keys(env)) expect(end.stderr).to.match(new RegExp(`^svc-node: ${name} .*\\.$`, 'm'));
  });

  it('prefers options to the environment', async () => {
    const node = await startNode(scratch(), ['--network', 'testnet'], {
      env: { SVC_PORT: 'nonsense', SVC_NETWORK: 'devnet', SVC_PASSPHRASE: 'a passphrase of the node' },
    });
    expect(node).to.include({ network: 'testnet', passphraseFile: null });
    expect((await node.stop()).stderr).to.match(
      /"level":40.*SVC_PASSPHRASE stays readable.*SVC_PASSPHRASE_FILE is safer/,
    );
  });

  it('runs where nothing may change what is JavaScript’s own', async () => {
    const node = await startNode(scratch(), [], { env: { NODE_OPTIONS: '--frozen-intrinsics' } });
    expect((await faucet(node, node.did)).status).to.equal(200);
    expect((await get(`${node.url}/api/v1/wallets/${node.did}`)).body.balance).to.equal(100);
    expect((await get(`${node.url}/api/v1/nowhere`)).status).to.equal(404);
    expect((await faucet(node, 'nobody')).status).to.equal(400);
    expect((await node.stop()).code).to.equal(0);
  });

  it('takes the passphrase from a file without a word about it', async () => {
    const file = join(scratch(), 'passphrase');
    writeFileSync(file, 'a passphrase of the node\n', { mode: 0o600 });
    const node = await startNode(scratch(), ['--network', 'testnet'], { env: { SVC_PASSPHRASE_FILE: file } });
    expect((await node.stop()).stderr).to.not.include('SVC_PASSPHRASE');
  });

  it('asks for the passphrase where the node makes none, and for the right one', async () => {
    const dir = scratch();
    const without = await svcNode(['start', '--port', '0', '--network', 'testnet', '--data', dir]);
    expect(without).to.include({ code: 1, stdout: '' });
    expect(without.stderr).to.match(/^svc-node: .*SVC_PASSPHRASE/);
    const node = await startNode(dir, ['--network', 'testnet'], { env: { SVC_PASSPHRASE: 'the right passphrase' } });
    await node.stop();
    const wrong = await svcNode(['start', '--port', '0', '--data', dir], {
      env: { SVC_PASSPHRASE: 'the wrong passphrase' },
    });
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.match(/^svc-node: The passphrase does not unlock/);
  });

  it('says that its own key is missing or damaged, not that the passphrase is wrong', async () => {
    const dir = scratch();
    await (await startNode(dir)).stop();
    const file = join(dir, 'keystore', readdirSync(join(dir, 'keystore'))[0]!);
    for (const spoil of [() => writeFileSync(file, '{"v":'), () => rmSync(file)]) {
      spoil();
      const end = await svcNode(['start', '--port', '0', '--data', dir], { env: { SVC_LOG_LEVEL: 'silent' } });
      expect(end).to.include({ code: 1, stdout: '' });
      expect(end.stderr).to.match(
        /^svc-node: The node's own key did:svc:\S+ is missing in .*, or its file there cannot be used.*SVC_DATA_DIR.*\n$/,
      );
    }
  });

  for (const [what, env, says] of [
    ['a certificate that is none', () => badPem(), /SVC_TLS_CERT and SVC_TLS_KEY must name a certificate/],
    [
      'contracts of a chain that is not named',
      () => ({ SVC_CHAIN: 'auto', SVC_CONTRACTS: '{}' }),
      /for the chain of SVC_RPC_URL, which is not set/,
    ],
    [
      'a folder that takes no other',
      () => ({ SVC_DATA_DIR: '/proc/svc-node/devnet' }),
      /cannot make the data directory/,
    ],
    ['a data directory that others may write to', () => ({ SVC_DATA_DIR: openToAll() }), /mode 777.* chmod go-w /],
    ['a link where a file of its own should be', () => ({ SVC_DATA_DIR: withLink('lock.pid') }), /symbolic link.* rm /],
    ['a lock that cannot be opened', () => ({ SVC_DATA_DIR: withFolder('lock.db') }), /cannot lock /],
    [
      'a passphrase that cannot be read',
      () => ({ SVC_DATA_DIR: withFolder('passphrase') }),
      /cannot be read from .*passphrase/,
    ],
  ] as const) {
    it(`refuses ${what}, in one line`, async () => {
      const end = await svcNode(['start', '--port', '0'], { env: { SVC_DATA_DIR: scratch(), ...env() } });
      expect(end).to.include({ code: 1, stdout: '' });
      expect(end.stderr)
        .to.match(/^svc-node: .*SVC_[A-Z_]+.*\n$/)
        .and.match(says);
    });
  }

  it('keeps a data directory to the network that it was made for', async () => {
    const dir = scratch();
    writeFileSync(join(dir, 'node.json'), JSON.stringify({ did: 'did:svc:z1', network: 'testnet' }));
    const end = await runHere(['start', '--data', dir, '--network', 'devnet']);
    expect(end.code).to.equal(2);
    expect(end.stderr).to.include('belongs to testnet').and.include('SVC_NETWORK').and.include('SVC_DATA_DIR');
  });

  it('ends with 70 when the disk fails under it, and continues from there when it does not', async () => {
    const dir = scratch();
    // The kernel limits the files of this process to 500 KiB.
    const bin = join(checkout, 'bin', 'svc-node.mjs');
    const limited = track(
      spawn(
        'sh',
        [
          '-c',
          `trap '' XFSZ; ulimit -f 1000; exec "$0" "$@"`,
          process.execPath,
          bin,
          'start',
          '--port',
          '0',
          '--data',
          dir,
        ],
        { env: { ...process.env, SVC_CHAIN: 'none' } },
      ),
    );
    const over = ended(limited);
    await text(limited, 'Stop with');
    const { url } = JSON.parse(readFileSync(join(dir, 'api.json'), 'utf8')) as { url: string };
    const { did } = (await get(`${url}/api/v1/node`)).body as { did: string };
    let acknowledged = 0;
    const flood = async () => {
      for (;;) {
        const { status } = await faucet({ url } as Parameters<typeof faucet>[0], did);
        if (status !== 200) return;
        acknowledged += 1;
      }
    };
    await flood().catch(() => {}); // the connection is cut when the process ends
    const end = await over;
    expect(end.code).to.equal(70);
    expect(end.stderr).to.include('the store failed');
    const again = await startNode(dir);
    expect((await get(`${again.url}/api/v1/wallets/${did}`)).body.balance).to.be.at.least(acknowledged * 100);
    await again.stop();
  });
});
