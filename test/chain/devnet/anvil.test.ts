/** The local chain in a process of its own: whatever is killed, it comes back, and nobody else is touched. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Anvil } from '../../../src/chain/devnet/anvil.js';
import { anvilBinary } from '../../../src/chain/devnet/anvil-binary.js';
import { AnvilFailed } from '../../../src/chain/devnet/anvil-process.js';
import { isAlive } from '../../../src/chain/devnet/process-identity.js';
import { JsonRpcEvm } from '../../../src/chain/evm/json-rpc-evm.js';
import { realWorld as world } from '../../../src/world.js';
import { scratch, tidy } from '../support/scratch.js';
import { richSender, type Sender, word } from '../support/sender.js';

const chainId = 77_001;
const binary = anvilBinary()!;
const owner = fileURLToPath(new URL('../support/anvil-owner.js', import.meta.url));

const anvils: Anvil[] = [];
const children: ChildProcess[] = [];

async function open(folder: string, more: Partial<Parameters<typeof Anvil.open>[0]> = {}): Promise<Anvil> {
  const quick = { watchMs: 50, pingMs: 300 };
  const anvil = await Anvil.open({ binary, folder, chainId, world, log: () => {}, ...quick, ...more });
  anvils.push(anvil);
  return anvil;
}

const evmOn = (anvil: Anvil): JsonRpcEvm => new JsonRpcEvm({ kind: 'anvil', chainId, transport: anvil, world });

async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  for (const end = Date.now() + ms; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 20))) {
    expect(Date.now(), `waited for: ${what}`).to.be.below(end);
  }
}

/** The newest block in what was saved; undefined where nothing was. */
function savedBlocks(folder: string): number | undefined {
  const file = join(folder, 'anvil-state.gz');
  if (!existsSync(file)) return undefined;
  return Number(JSON.parse(gunzipSync(readFileSync(file)).toString()).best_block_number);
}

/** A chain with something on it: a sum of 5. */
async function withSum(anvil: Anvil): Promise<{ sender: Sender; evm: JsonRpcEvm; total: () => Promise<string> }> {
  const evm = evmOn(anvil);
  const sender = await richSender(() => evm);
  const sum = await sender.deploySum();
  await sender.mined(sum, word(5));
  return { sender, evm, total: () => evm.call({ to: sum, data: '0x' }) };
}

function innocent(): ChildProcess {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  children.push(child);
  return child;
}

(binary === undefined ? describe.skip : describe)('a local anvil', () => {
  afterEach(async () => {
    await Promise.all(anvils.splice(0).map((anvil) => anvil.stop()));
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(tidy);

  it('keeps its state from one run to the next, receipts included', async () => {
    const folder = scratch();
    const first = await open(folder);
    const { sender, total } = await withSum(first);
    const { transactionHash } = await sender.mined(sender.address, '0x');
    expect(await total()).to.equal(word(5));
    await first.stop();
    expect(isAlive(first.pid ?? 0) && existsSync(join(folder, 'anvil.json'))).to.equal(false);

    const evm = evmOn(await open(folder));
    expect((await evm.receipt(transactionHash))?.succeeded).to.equal(true);
    expect(await evm.transactionCount(sender.address, 'latest')).to.equal(3);
  });

  it('removes what a save has left that was cut off', async () => {
    const folder = scratch();
    const torn = join(folder, '.anvil-state.gz.0123456789abcdef.tmp');
    writeFileSync(torn, 'half');
    await open(folder);
    expect(existsSync(torn)).to.equal(false);
  });

  it('comes back with its saved state when it is killed', async function () {
    this.timeout(150_000);
    const anvil = await open(scratch(), { saveMs: 0 });
    const { evm, total } = await withSum(anvil);
    const killed = anvil.pid!;
    const blocks = await evm.blockNumber();
    // Saving may take a hundredth of the time: where a first save came before the sum and was slow, the next is far off.
    await until('a save of the newest block', () => savedBlocks(anvil.options.folder) === blocks, 120_000);
    process.kill(killed, 'SIGKILL');
    await until('another process', () => anvil.pid !== undefined && anvil.pid !== killed);
    expect(await total()).to.equal(word(5));
  });

  it('comes back each time it is killed', async () => {
    const anvil = await open(scratch());
    const evm = evmOn(anvil);
    for (let turn = 0; turn < 3; turn++) {
      const killed = anvil.pid!;
      process.kill(killed, 'SIGKILL');
      await until('another process', () => anvil.pid !== undefined && anvil.pid !== killed);
      expect(await evm.blockNumber()).to.equal(0);
    }
  });

  it('says that it is away while it is', async () => {
    const anvil = await open(scratch(), { watchMs: 60_000 });
    const evm = evmOn(anvil);
    await evm.blockNumber();
    await anvil.stop();
    const error = await evm.blockNumber().catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Error).with.property('name', 'ChainAway');
    expect(evm.health()).to.include({ connected: false, blockNumber: 0 });
    expect(evm.health().reason).to.be.a('string');
  });

  it('is ended and started again when it hangs', async () => {
    const anvil = await open(scratch());
    const hanging = anvil.pid!;
    process.kill(hanging, 'SIGSTOP');
    await until('another process', () => anvil.pid !== undefined && anvil.pid !== hanging);
    expect(isAlive(hanging)).to.equal(false);
    expect(await evmOn(anvil).blockNumber()).to.equal(0);
  });

  it('of a node that was killed is taken over, with all that is on it', async () => {
    const folder = scratch();
    const child = spawn(process.execPath, [owner, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    const left = JSON.parse(line.toString()) as { pid: number };
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(left.pid), 'it outlives the node').to.equal(true);

    const anvil = await open(folder);
    expect(anvil.pid).to.equal(left.pid);
    const { total } = await withSum(anvil);
    expect(await total()).to.equal(word(5));
    // It is no child of ours, and is watched all the same.
    process.kill(left.pid, 'SIGKILL');
    await until('another process', () => anvil.pid !== undefined && anvil.pid !== left.pid);
    expect(await evmOn(anvil).blockNumber()).to.equal(0);
  });

  it('of a node that exits without stopping it ends with the node', async () => {
    const folder = scratch();
    const child = spawn(process.execPath, [owner, folder, 'exit'], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [[line], [code]] = (await Promise.all([once(child.stdout!, 'data'), once(child, 'exit')])) as [
      Buffer[],
      [number],
    ];
    expect(code).to.equal(7);
    const { pid } = JSON.parse(line!.toString()) as { pid: number };
    await until('it has ended', () => !isAlive(pid));
    expect(existsSync(join(folder, 'anvil.json')), 'the note of it').to.equal(false);
  });

  it('that was started with other options is ended, not taken over', async () => {
    const folder = scratch();
    const args = ['--chain-id', String(chainId), '--cache-path', join(folder, 'cache'), '--quiet', '--port', '0'];
    const old = spawn(binary, args, { stdio: 'ignore' });
    children.push(old);
    const record = { pid: old.pid, port: 1, args };
    await new Promise((resolve) => setTimeout(resolve, 100));
    writeFileSync(join(folder, 'anvil.json'), JSON.stringify(record));
    const over = once(old, 'exit');
    const anvil = await open(folder);
    expect(anvil.pid).to.not.equal(old.pid);
    await over;
  });

  const pretend = (pid: number, port: number) => ({
    'in other words': { pid, port, args: ['--chain-id', '1'] },
    'in its own words': { pid, port, args: ['60'] },
    'in our words': {
      pid,
      port,
      args: ['--chain-id', String(chainId), '--cache-path', 'FOLDER/cache', '--quiet', '--host', '127.0.0.1'],
    },
    'without words': { pid, port, args: [] },
  });
  for (const how of Object.keys(pretend(1, 1)) as (keyof ReturnType<typeof pretend>)[]) {
    it(`leaves an innocent process alone that a stale file names ${how}`, async () => {
      const folder = scratch();
      const child = innocent();
      const record = JSON.stringify(pretend(child.pid!, 9)[how]).replaceAll('FOLDER', folder);
      writeFileSync(join(folder, 'anvil.json'), record);
      const anvil = await open(folder);
      await anvil.stop();
      expect(isAlive(child.pid!)).to.equal(true);
      expect(child.exitCode ?? child.signalCode).to.equal(null);
    });
  }

  for (const [what, text] of [
    ['torn', '{"pid": 12'],
    ['of another shape', '{"pid":"x","port":[],"args":7}'],
    ['that names nobody', '{"pid":0,"port":0,"args":[]}'],
  ] as const) {
    it(`starts with a pid file ${what}`, async () => {
      const folder = scratch();
      writeFileSync(join(folder, 'anvil.json'), text);
      expect((await open(folder)).pid).to.be.a('number');
    });
  }

  for (const [what, bytes] of [
    ['that is not packed', Buffer.from('not gzip')],
    ['that was cut off', gzipSync('{"a":"b"}'.repeat(1_000)).subarray(0, 40)],
    ['that is no JSON', gzipSync('{"accounts": ')],
    ['of another shape', gzipSync('{"accounts": 7}')],
    ['without a byte', Buffer.alloc(0)],
  ] as const) {
    it(`starts empty from a state ${what}, which is kept aside`, async () => {
      const folder = scratch();
      writeFileSync(join(folder, 'anvil-state.gz'), bytes);
      const said: string[] = [];
      const anvil = await open(folder, { log: (message) => said.push(message) });
      expect(await evmOn(anvil).blockNumber()).to.equal(0);
      expect(readFileSync(join(folder, 'anvil-state.gz.bad'))).to.deep.equal(bytes);
    });
  }

  it('says why it can’t run', async () => {
    const failed = await open(scratch(), { binary: '/bin/false' }).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(AnvilFailed);
    expect((failed as Error).message).to.match(/ended with 1/);
    const missing = await open(scratch(), { binary: '/nowhere/anvil' }).catch((error: unknown) => error);
    expect(missing).to.be.instanceOf(AnvilFailed);
    expect((missing as Error).message).to.match(/ENOENT/);
  });
});
