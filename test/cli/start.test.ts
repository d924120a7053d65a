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
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { checkout, type Ended, ended, spawnCommand, svcNode, track } from './support/command.js';
import { runHere } from './support/here.js';
import { faucet, get, type NodeProcess, startNode } from './support/node.js';
import { refusal } from './support/outcome.js';

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

/** The one line of a start that fails. It has opened nothing that it leaves open: see `tidy`. */
const refusalHere = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  refusal(runHere(words, { SVC_CHAIN: 'none', ...env }));

/** Ends a node: with 0, in the time that a service manager allows, and without api.json and socket. */
async function endedCleanly(node: NodeProcess, signal: NodeJS.Signals): Promise<Ended> {
  const before = realEnvironment.monotonic();
  const end = await node.stop(signal);
  expect(end, end.stderr).to.include({ code: 0, signal: null });
  expect(realEnvironment.monotonic() - before).to.be.below(10_000);
  for (const file of ['api.json', 'control.sock']) expect(existsSync(join(node.dataDir, file)), file).to.equal(false);
  return end;
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

  it('says with --json one line, which programs can read, and is found by api.json where it listens', async () => {
    const dir = scratch();
    const publicUrl = 'https://node.example.org/ledger';
    const node = await startNode(dir, [], { env: { SVC_PUBLIC_URL: publicUrl } });
    const file = JSON.parse(readFileSync(join(dir, 'api.json'), 'utf8')) as { url: string; pid: number };
    expect(file.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(file.pid).to.equal(node.pid);
    expect(node).to.include({ network: 'devnet', isNew: true, url: publicUrl, docs: `${publicUrl}/docs` });
    expect(node.passphraseFile).to.equal(join(node.dataDir, 'passphrase'));
    expect(statSync(node.passphraseFile!).mode & 0o777).to.equal(0o600);
    expect((await get(`${file.url}/api/v1/node`)).body).to.include({ did: node.did, network: 'devnet' });
    expect((await svcNode(['status', '--json', '--data', dir])).code).to.equal(0);
    const second = await refusalHere(['start', '--port', '0', '--data', dir]);
    expect(second).to.equal(
      `svc-node: the data directory ${dir} is in use by process ${node.pid}: stop that one first, or use another directory (SVC_DATA_DIR)\n`,
    );
    expect((await get(`${file.url}/api/v1/node`)).status).to.equal(200);
    const end = await endedCleanly(node, 'SIGTERM');
    expect(end.stdout.trim().split('\n')).to.have.length(1);
  });

  it('ends with 0 on SIGHUP also while its chain is being started', async () => {
    for (const afterMs of [0, 300]) {
      const node = await startNode(scratch(), [], { env: { SVC_CHAIN: 'auto' } });
      await pause(realEnvironment, afterMs);
      await endedCleanly(node, 'SIGHUP');
    }
  });

  it('takes two signals of one Ctrl-C for one, though a client never hangs up, and ends at once on a later one', async () => {
    const twice = await startNode();
    const stream = await fetch(`${twice.url}/api/v1/events/stream`);
    twice.signal('SIGINT');
    await endedCleanly(twice, 'SIGINT');
    await stream.body?.cancel().catch(() => {});

    const node = await startNode();
    // A request whose body never arrives delays a clean stop.
    const { port } = new URL(node.url);
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
    const says = await refusalHere(['start', '--port', String(port), '--data', scratch()], { SVC_LOG_LEVEL: 'silent' });
    other.close();
    expect(says).to.equal(
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

  it('prefers options to the environment, and says what is wrong with its own key', async () => {
    const node = await startNode(scratch(), ['--network', 'testnet'], {
      env: { SVC_PORT: 'nonsense', SVC_NETWORK: 'devnet', SVC_PASSPHRASE: 'the right passphrase' },
    });
    expect(node).to.include({ network: 'testnet', passphraseFile: null });
    expect((await node.stop()).stderr).to.match(
      /"level":40.*SVC_PASSPHRASE stays readable.*SVC_PASSPHRASE_FILE is safer/,
    );

    // Its own key: a wrong passphrase, a damaged file, and none.
    const wrong = { SVC_PASSPHRASE: 'the wrong passphrase', SVC_LOG_LEVEL: 'silent' };
    const again = () => refusalHere(['start', '--port', '0', '--data', node.dataDir], wrong);
    expect(await again()).to.match(/^svc-node: The passphrase does not unlock/);
    const keystore = join(node.dataDir, 'keystore');
    const file = join(keystore, readdirSync(keystore)[0]!);
    for (const spoil of [() => writeFileSync(file, '{"v":'), () => rmSync(file)]) {
      spoil();
      expect(await again()).to.match(
        /^svc-node: The node's own key did:svc:\S+ is missing in .*, or its file there cannot be used.*SVC_DATA_DIR.*\n$/,
      );
    }
  });

  it('takes the passphrase from a file, where nothing may change what is JavaScript’s own', async () => {
    const file = join(scratch(), 'passphrase');
    writeFileSync(file, 'a passphrase of the node\n', { mode: 0o600 });
    const node = await startNode(scratch(), [], {
      env: { SVC_PASSPHRASE_FILE: file, NODE_OPTIONS: '--frozen-intrinsics' },
    });
    expect((await faucet(node, node.did)).status).to.equal(200);
    expect((await get(`${node.url}/api/v1/wallets/${node.did}`)).body.balance).to.equal(100);
    expect((await get(`${node.url}/api/v1/nowhere`)).status).to.equal(404);
    expect((await faucet(node, 'nobody')).status).to.equal(400);
    const end = await endedCleanly(node, 'SIGTERM');
    expect(end.stderr).to.not.include('SVC_PASSPHRASE');
  });

  it('asks for the passphrase where the node makes none', async () => {
    const says = await refusalHere(['start', '--port', '0', '--network', 'testnet', '--data', scratch()]);
    expect(says).to.match(/^svc-node: .*SVC_PASSPHRASE/);
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
      expect(await refusalHere(['start', '--port', '0'], { SVC_DATA_DIR: scratch(), ...env() }))
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
