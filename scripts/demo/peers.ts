/**
 * `npm run demo -- --peers 3`: several operators on this machine, each with a keystore, database and chain. Their
 * nodes show each other's listings and follow each other's journals, and people of each deal at the others. One is set back
 * to a backup and takes its journal back from its mirrors; in the end one shows two journals and is detected.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../../packages/client/src/index.js';
import { dealBetweenHomes, type Trader } from './between-homes.js';
import { Liar } from './liar.js';
import { OwnNode } from './own-node.js';
import { Person } from './people.js';
import { bold, check, DemoFailed, print, shortName, step, tell, waitFor } from './stage.js';

/** The members of a peer's status that the demo uses. */
interface ShownPeer {
  readonly did: string;
  readonly status: string;
  readonly followed: number;
  readonly mirrored?: number;
  readonly violation?: { readonly seq: number; readonly what: string };
}

interface Operator {
  readonly name: string;
  readonly node: OwnNode;
  readonly client: Client;
  readonly did: string;
  /** Address at which peers reach it. */
  readonly address: string;
}

const names = ['Alba', 'Brig', 'Cove', 'Dale', 'Esk', 'Firth', 'Glen'] as const;
export const mostOperators = names.length;

const listening = { SVC_LISTEN: '/ip4/127.0.0.1/tcp/0', SVC_PEERS_ALONE: '1' };

export class Operators {
  readonly #nodes: OwnNode[] = [];
  #liar: Liar | undefined;
  #operators: readonly Operator[] = [];
  #traders: readonly Trader[] = [];

  async play(count: number): Promise<void> {
    const operators = await this.#open(count);
    this.#operators = operators;
    await everyoneWrites(operators);
    this.#traders = await dealBetweenHomes(operators);
    await setBack(operators);
    await this.#lie(operators);
    await this.#audit(operators);
  }

  async #open(count: number): Promise<Operator[]> {
    step(`${count} operators, each with a keystore, database and chain`);
    const operators: Operator[] = [];
    for (const name of names.slice(0, count)) operators.push(await this.#start(name));
    for (const { node, did } of operators)
      for (const other of operators) if (other.did !== did) await node.command('peers', 'add', other.address, '--json');
    for (const { name, node } of operators) {
      const peers = await currentPeers(name, node, count - 1);
      check(`${name} follows the others`, peers.length, count - 1, { as: `${peers.length} journals` });
    }
    return operators;
  }

  async #start(name: string): Promise<Operator> {
    const node = await OwnNode.start(listening);
    this.#nodes.push(node);
    const client = new Client({ url: node.url });
    const { did, docHash } = await client.identities.self();
    const passphrase = await node.passphrase();
    const named = { document: { displayName: name }, prevDocHash: docHash };
    await client.as({ did, passphrase }).identities.update(did, named);
    const [address] = (await listed(node)).listens;
    if (address === undefined) throw new DemoFailed(`${name}'s node listens for no peers`);
    tell(`${name}'s node`, shortName(did), `${node.url}, process ${node.pid}`);
    return { name, node, client, did, address };
  }

  /** The last operator shows each peer another entry of the same number, signed with the same key. */
  async #lie(operators: readonly Operator[]): Promise<void> {
    const honest = operators.slice(0, -1);
    const dishonest = operators.at(-1)!;
    step(`${dishonest.name} shows two journals`);
    check(`${dishonest.name}'s node stops`, await dishonest.node.end('SIGTERM'), 0, { as: 'exit code 0' });
    const liar = await Liar.open(dishonest.node.dir, dishonest.address);
    this.#liar = liar;
    tell('It shows each peer another entry', `entry ${liar.seq}`, 'hashes, chain and checkpoints fit');
    for (const { name, node } of honest) {
      const { violation } = await waitFor(
        async () => (await listed(node)).peers.find(({ did }) => did === dishonest.did)!,
        ({ status }) => status === 'forked',
        `${name} notices it`,
      );
      check(`${name} notices it`, violation?.seq, liar.seq, { as: `entry ${violation?.seq}: ${violation?.what}` });
      const { output } = await node.command('peers', 'evidence', dishonest.did);
      const file = join(node.dir, 'proof.json');
      await writeFile(file, output);
      const { exitCode } = await node.command('verify-equivocation', file);
      check('and has the proof, which anyone can check', exitCode, 0, { as: 'two signed checkpoints' });
      const rest = (await listed(node)).peers.filter(({ did }) => did !== dishonest.did);
      const isCurrent = rest.every(({ status }) => status === 'current');
      check(`${name} follows the honest as before`, isCurrent, true, {
        as: rest.map(({ did }) => shortName(did)).join(),
      });
    }
  }

  async #audit(operators: readonly Operator[]): Promise<void> {
    step('Stop, and audit each journal offline');
    await this.#liar?.close();
    for (const { name, node } of operators) {
      await node.end('SIGTERM');
      const { exitCode, output } = await node.command('audit', '--json');
      const { flaw, entries } = JSON.parse(output || '{}') as { flaw?: unknown; entries?: number };
      check(`${name}'s journal`, [exitCode, flaw], [0, undefined], { as: `${entries} entries, no flaw` });
    }
    print(bold('\nThe lie harmed nobody else: each operator’s own database is sound.'));
  }

  /** Starts the nodes of the honest again, to look at, until one ends. */
  async stay(): Promise<void> {
    const honest = this.#operators.slice(0, -1);
    for (const { node, address } of honest) await node.start({ SVC_LISTEN: address.replace(/\/p2p.*/, '') });
    print('Look at it in the consoles, until Ctrl+C:');
    for (const { name, node, did } of honest) {
      const view = (path: string) => `${node.url}/console#/${path}`;
      print(`  all that happened at ${name}: ${view('ledger')}`);
      for (const trader of this.#traders.filter(({ home }) => home.did === did))
        print(`  ${trader.name} of ${name}, Tokens and deals: ${view(`identities/${trader.did}`)}`);
    }
    await Promise.race(honest.map(({ node }) => node.ended()));
  }

  async discard(): Promise<void> {
    await this.#liar?.close();
    for (const node of this.#nodes) await node.discard();
  }
}

/** A payment at each home, which all others follow. */
async function everyoneWrites(operators: readonly Operator[]): Promise<void> {
  step('A payment at each home');
  for (const { name, client, did } of operators) {
    const [ida, jim] = [await Person.join(client, `Ida of ${name}`), await Person.join(client, `Jim of ${name}`)];
    await ida.claims();
    await ida.client.wallets.transfer({ to: jim.did, amount: 7 });
    const { height } = await client.node.status();
    for (const { name: reader, node } of operators.filter((each) => each.did !== did)) {
      const { followed } = await waitFor(
        async () => (await listed(node)).peers.find((each) => each.did === did)!,
        (peer) => peer.followed >= height,
        `${reader} follows ${name}`,
      );
      check(`${reader} follows ${name}`, followed >= height, true, { as: `entries 1 to ${followed}` });
    }
  }
}

/** The first home is set back to a backup, and has its whole journal again. */
async function setBack([first, ...mirrors]: readonly Operator[]): Promise<void> {
  const { name, node, client, did, address } = first!;
  step(`${name} loses its newest entries, and has them again from its mirrors`);
  const done = async (by: OwnNode, ...words: readonly string[]) =>
    check(`svc-node ${words.join(' ')}`, (await by.command(...words, '--json')).exitCode, 0, { as: 'exit code 0' });
  for (const mirror of mirrors) {
    await done(mirror.node, 'peers', 'keep', did);
    await done(node, 'peers', 'mirror', mirror.did);
  }
  const backup = join(node.dir, 'backup.db');
  await done(node, 'backup', backup);
  const late = await Person.join(client, 'Dora');
  await late.claims();
  const { height } = await client.node.status();
  await waitFor(
    async () => (await listed(node)).peers,
    (peers) => peers.every(({ mirrored = 0 }) => mirrored >= height),
    'the mirrors have it all',
  );
  check(`${name}'s node is killed`, await node.end('SIGKILL'), 'SIGKILL', { as: `entry ${height}` });
  await done(node, 'restore', backup, '--force');
  await node.start({ SVC_LISTEN: address.replace(/\/p2p.*/, '') });
  const again = await new Client({ url: node.url }).node.status();
  check('its journal is whole again', again.height >= height, true, { as: `entry ${again.height}` });
  for (const mirror of mirrors) await currentPeers(mirror.name, mirror.node, mirrors.length);
  tell('They follow it as before', mirrors.map((mirror) => mirror.name).join(), 'one journal');
}

function currentPeers(name: string, node: OwnNode, count: number): Promise<readonly ShownPeer[]> {
  return waitFor(
    async () => (await listed(node)).peers,
    (peers) => peers.length === count && peers.every(({ status }) => status === 'current'),
    `${name}'s peers are current`,
  );
}

async function listed(
  node: OwnNode,
): Promise<{ readonly listens: readonly string[]; readonly peers: readonly ShownPeer[] }> {
  const { exitCode, output } = await node.command('peers', 'list', '--json');
  if (exitCode !== 0) throw new DemoFailed(`peers list ended with exit code ${exitCode}`);
  return JSON.parse(output);
}
