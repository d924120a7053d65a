/** docs/operations.md agrees with the code: names of metrics, variables, commands and paths, and values of bounds. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { everyRoute } from '../../scripts/generate/routes.js';
import { bounds } from '../../src/core/bounds.js';
import { variables } from '../../src/node/config/config.js';
import { figuresOf } from '../../src/store/mongo/figures.js';
import { fileOf, sources, textOf } from '../architecture/sources.js';
import { svcNode } from '../cli/support/command.js';
import { TestNode } from '../node/support/node.js';

const text = readFileSync('docs/operations.md', 'utf8');
const readme = readFileSync('README.md', 'utf8');

const all = (pattern: RegExp, from = text): string[] => [
  ...new Set([...from.matchAll(pattern)].map(([whole, group]) => group ?? whole)),
];

describe('docs/operations.md', () => {
  it('names metrics that there are', async () => {
    const node = await TestNode.start();
    const { text: metrics } = await node.client.get('/metrics');
    await node.discard();
    const served = new Set(
      all(/^([a-z][a-z0-9_]+)[ {]/gm, metrics).map((name) => name.replace(/_(bucket|sum|count)$/, '')),
    );
    const named = all(/`((?:svc|process|nodejs)_[a-z0-9_]+)`/g);
    expect(named.length).to.be.above(12);
    // Some metrics exist only with a chain, or with a database that several processes share.
    const code = sources()
      .map((file) => textOf(fileOf(file)))
      .join('\n');
    for (const { name } of figuresOf({} as never)) served.add(name);
    expect(named.filter((name) => !served.has(name) && !code.includes(`'${name}'`))).to.deep.equal([]);
  });

  it('leaves out no metric of ours', () => {
    const ours = all(
      /'(svc_[a-z0-9_]+)'/g,
      sources()
        .map((file) => textOf(fileOf(file)))
        .join('\n'),
    );
    ours.push(...figuresOf({} as never).map(({ name }) => name));
    expect(ours.filter((name) => !text.includes(`\`${name}\``))).to.deep.equal([]);
  });

  it('names variables, commands and paths that there are', async () => {
    // Commands that send requests to a node read other variables.
    const asking = sources().filter((file) => /^cli\/(api|profile)\//.test(file));
    const ofCommands = all(
      /(?:env\.|variable\(')(SVC_[A-Z_]+)/g,
      asking.map((file) => textOf(fileOf(file))).join('\n'),
    );
    const known = new Set<string>([...Object.values(variables).map(({ name }) => name), ...ofCommands]);
    for (const source of [text, readme]) {
      const named = all(/\bSVC_[A-Z_]+\b/g, source).filter((name) => !name.startsWith('SVC_TEST_'));
      expect(named.filter((name) => !known.has(name))).to.deep.equal([]);
    }
    const { stdout: help } = await svcNode(['help']);
    const commands = all(/^ {2}([a-z-]+) /gm, help);
    // `chain` belongs to another program.
    const asked = all(/svc-node ([a-z][a-z-]*)/g, `${text}\n${readme}`);
    expect(asked.filter((command) => ![...commands, 'chain'].includes(command))).to.deep.equal([]);
    const paths = everyRoute().map(({ method, path }) => `${method} ${path}`);
    expect(all(/`(GET \/[a-z/]+)`/g).filter((path) => !paths.includes(path))).to.deep.equal([]);
  });

  it('gives the bounds as they are', () => {
    const mebi = 1024 * 1024;
    for (const [words, value] of [
      ['below 256 MiB free', bounds.freeDiskBytes / mebi === 256],
      ['it nears 268,435,456', bounds.freeDiskBytes === 268_435_456],
      ['4,000 writes wait', bounds.commandsInFlight === 4_000],
      ['up to 10,000 operations or 60 s', bounds.pendingOperations === 10_000 && bounds.pendingOperationsMs === 60_000],
      ['Stopping takes at most 10 s', bounds.shutdownMs === 10_000],
      ['bodies are at most 1 MiB, headers 16 KiB', bounds.bodyBytes === mebi && bounds.headerBytes === 16 * 1024],
      ['kept for 72 s', bounds.keepAliveMs === 72_000],
      ['comment every 15 s', bounds.streamHeartbeatMs === 15_000],
      ['`SVC_SETTLEMENT_WAIT_MS` (15 s)', variables.settlementWaitMs.default === '15000'],
      ['12 characters or more', bounds.passphraseLength === 12],
      ['has been away for 1 s', bounds.storeAwayMs === 1_000],
      ['by more than 10 minutes', bounds.clockSkewMs === 600_000],
    ] as const) {
      expect(text.replace(/\s+/g, ' ')).to.include(words);
      expect(value, words).to.equal(true);
    }
  });
});
