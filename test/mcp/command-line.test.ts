/** `svc-node mcp` as a host starts it, with the configurations of docs/mcp.md, and `mcp approve` in a terminal. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { json, onlyGiven, spawnCommand, svcNode } from '../cli/support/command.js';
import { publishes } from '../node/support/market.js';
import { nodeForSuite } from '../node/support/node.js';
import { scratch, tidy } from '../support/scratch.js';
import { Host, type HostOptions, revisions } from './support/agent.js';

const passphrase = 'correct horse battery staple';
const page = readFileSync('docs/mcp.md', 'utf8');

/** The commands in the page that start a server: those of hosts' files, and those that hosts take as a line. */
const documented = (): readonly (readonly string[])[] => {
  const files = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!));
  const ofFiles = files.flatMap(({ mcpServers }) =>
    mcpServers?.['svc-node']?.args ? [mcpServers['svc-node'].args] : [],
  );
  const ofLines = [...page.matchAll(/mcp add svc-node -- svc-node (mcp [^`]*?)\n(?!\s)/g)].map(([, line]) =>
    line!.replace(/\\\n/g, ' ').trim().split(/\s+/),
  );
  return [...ofFiles, ...ofLines];
};

describe('svc-node mcp', () => {
  const node = nodeForSuite();
  let dir: string;
  let did: string;

  before(async () => {
    dir = scratch();
    writeFileSync(join(dir, 'agent.pass'), `${passphrase}\n`, { mode: 0o600 });
    const file = join(dir, 'agent.json');
    const made = await svcNode(['key', 'create', file, '--passphrase-file', join(dir, 'agent.pass'), '--json']);
    ({ did } = json<{ did: string }>(made));
    await node().fund({ did }, 50);
  });
  after(tidy);

  const key = () => ['--signing-key', join(dir, 'agent.json')];
  const opened = () => [...key(), '--passphrase-file', join(dir, 'agent.pass')];
  const here = (args: readonly string[]) =>
    args.map((each) => each.replace('/home/ada', dir).replace('https://node.example.org', node().url));
  const environment = Object.fromEntries(
    Object.entries({ PATH: process.env.PATH, HOME: process.env.HOME, ...onlyGiven() }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    ),
  );
  const started = (args: readonly string[], options: HostOptions = {}) => {
    const command = { command: process.execPath, args: [resolve('bin/svc-node.mjs'), ...args] };
    return Host.open(new StdioClientTransport({ ...command, env: environment, stderr: 'ignore' }), options);
  };

  /** Typed once it is asked for. */
  const atTerminal = async (args: readonly string[], text: string) => {
    const command = [process.execPath, resolve('bin/svc-node.mjs'), ...args].map((each) => `'${each}'`).join(' ');
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], { env: environment });
    let said = '';
    terminal.stdout.on('data', (more) => {
      if (!said.includes('to approve') && `${said}${more}`.includes('to approve')) terminal.stdin.write(`${text}\r`);
      said += String(more);
    });
    const code = await new Promise((over) => terminal.once('close', over));
    return { code, said };
  };

  it('is documented with commands of several hosts', () => {
    expect(documented().length).to.be.at.least(3);
  });

  for (const [index, args] of documented().entries())
    for (const revision of revisions) {
      it(`starts as the page says: ${index + 1}, in ${revision}`, async () => {
        const host = await started(here(args), { revision });
        expect((await host.call('wallet')).says).to.include(did);
        await host.close();
      });
    }

  it('is approved in a terminal with the passphrase of the key, and of nothing else', async () => {
    const { listingId } = await publishes(await node().person(), { title: 'Rain', pricing: { price: 5 } });
    const host = await started(['mcp', '--url', node().url, ...opened()], { person: 'none' });
    const proposal = await host.propose({ action: 'info-order.create', input: { listingId } });
    const { says } = await host.call('commit', { proposal });
    expect(says).to.include(`svc-node mcp approve ${proposal}`);
    const approves = (more: readonly string[], env = {}) =>
      svcNode(['mcp', 'approve', proposal, ...key(), ...more], { env });
    const refusals = [
      await approves(['--passphrase-file', join(dir, 'agent.pass')]),
      await svcNode(['mcp', '--passphrase-file', join(dir, 'agent.pass'), 'approve', proposal, ...key()]),
      await approves([]),
      await approves([], { SVC_PASSPHRASE: passphrase }),
      await approves([], { SVC_PASSPHRASE_FILE: join(dir, 'agent.pass') }),
      await svcNode(['mcp', 'approve', `${proposal}9`, ...opened()]),
    ];
    for (const { code, stderr } of refusals) expect(code, stderr).to.be.oneOf([1, 2]);
    expect((await host.call('commit', { proposal })).isError).to.equal(true);
    const typed = (text: string, more: readonly string[] = []) =>
      atTerminal(['mcp', 'approve', proposal, ...key(), ...more], text);
    const refused = [
      await typed('another passphrase'),
      await typed(passphrase, ['--passphrase-file', join(dir, 'agent.pass')]),
    ];
    for (const { code, said } of refused) expect(code, said).to.be.oneOf([1, 2]);
    expect((await host.call('commit', { proposal })).isError).to.equal(true);
    const approved = await typed(passphrase);
    expect(approved.code, approved.said).to.equal(0);
    expect(approved.said).to.include('at most 5 Tokens').and.to.include(listingId).and.to.include('"Rain"');
    expect((await host.call('commit', { proposal })).says).to.match(/^Done/);
    await host.close();
  });

  it('serves over HTTP until it is stopped', async () => {
    const server = spawnCommand(['mcp', '--url', node().url, ...opened(), '--http', '0']);
    let said = '';
    await new Promise<void>((done) => {
      server.stdout.on('data', (text) => {
        said += String(text);
        if (/Token.*\n/.test(said)) done();
      });
    });
    const url = /http:\S+/.exec(said)![0];
    const token = readFileSync(/Token\s+(\S+)/.exec(said)![1]!, 'utf8').trim();
    const headers = { Authorization: `Bearer ${token}` };
    const host = await Host.open(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    expect((await host.call('wallet')).says).to.include(did);
    await host.close();
    const code = new Promise((over) => server.once('close', over));
    server.kill('SIGTERM');
    expect(await code).to.equal(0);
  });

  for (const [what, args] of Object.entries({
    'no key': [],
    'no number of Tokens': ['--ask-above', '-1'],
    'no list of actions': ['--allow', 'everything'],
    'no port': ['--http', '70000'],
  })) {
    it(`does not start with ${what}`, async () => {
      const { code, stderr } = await svcNode([
        'mcp',
        '--url',
        node().url,
        ...(args.length > 0 ? opened() : []),
        ...args,
      ]);
      expect(code, stderr).to.equal(2);
    });
  }
});
