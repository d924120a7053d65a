import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLog } from '../../src/core/log.js';
import { isRefusal, refuse } from '../../src/core/refusal.js';
import { askNode, ControlFailed, noNodeRunning } from '../../src/node/control/client.js';
import { type ControlHandlers, type ControlServer, openControl } from '../../src/node/control/control.js';
import { controlPath } from '../../src/node/control/socket-path.js';
import { scratch, tidy } from '../support/scratch.js';

class Broken extends Error {
  override name = 'Broken';
}

const handlers: ControlHandlers = {
  echo: async (input) => input,
  refuse: async () => refuse('CONFLICT', 'not today'),
  fail: async () => {
    throw new Broken('the handler broke');
  },
  count: async (_, onProgress) => {
    for (let done = 1; done <= 3; done++) onProgress(done, 3);
    return { counted: 3 };
  },
};

const open = (dir: string): Promise<ControlServer> =>
  openControl({ path: controlPath(dir), handlers, log: createLog() });

/** Sends raw text and waits for all that comes back. */
const say = (dir: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(controlPath(dir), () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      heard += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(heard));
  });

describe('The control socket', () => {
  let dir: string;
  let control: ControlServer;
  before(async () => {
    dir = scratch();
    control = await open(dir);
  });
  after(async () => {
    await control.close();
    await tidy();
  });

  it('is for its owner alone', () => {
    expect(statSync(controlPath(dir)).mode & 0o777).to.equal(0o600);
  });

  it('answers with what was done, refused or failed', async () => {
    expect(await askNode(dir, 'echo', { a: 1 })).to.deep.equal({ a: 1 });
    const refusal = await askNode(dir, 'refuse', {});
    expect(isRefusal(refusal) && [refusal.code, refusal.detail]).to.deep.equal(['CONFLICT', 'not today']);
    const failure = await askNode(dir, 'fail', {}).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ControlFailed).with.property('message', 'the handler broke');
  });

  it('reports progress before the end', async () => {
    const steps: number[] = [];
    expect(await askNode(dir, 'count', {}, (done) => steps.push(done))).to.deep.equal({ counted: 3 });
    expect(steps).to.deep.equal([1, 2, 3]);
  });

  it('has an answer to what it does not know, and to what is no question', async () => {
    const endless = 'x'.repeat(70 * 1024);
    for (const text of [
      '{"act":"constructor","input":{}}\n',
      '{"act":"dance","input":{}}\n',
      'hello\n',
      '7\n',
      endless,
    ]) {
      expect(await say(dir, text)).to.include('does not know this command');
    }
    expect(await askNode(dir, 'echo', { still: 'there' })).to.deep.equal({ still: 'there' });
  });

  it('takes the place of a socket whose process is dead, or of a file', async () => {
    const other = scratch();
    // A killed process leaves a socket that refuses connections; a plain file refuses them in the same way.
    writeFileSync(controlPath(other), '');
    const second = await open(other);
    expect(await askNode(other, 'echo', {})).to.deep.equal({});
    await second.close();
    expect(existsSync(controlPath(other))).to.equal(false);
  });

  it('leaves a living one alone', async () => {
    const second = await open(dir);
    await second.close();
    expect(await askNode(dir, 'echo', { first: true })).to.deep.equal({ first: true });
  });

  it('works in a directory too deep for a socket’s address', async () => {
    const deep = join(scratch(), 'd'.repeat(120), 'e'.repeat(120));
    mkdirSync(deep, { recursive: true });
    const second = await open(deep);
    expect(statSync(controlPath(deep)).isSocket()).to.equal(true);
    expect(await askNode(deep, 'echo', { deep: true })).to.deep.equal({ deep: true });
    await second.close();
    expect(existsSync(controlPath(deep))).to.equal(false);
  });

  it('is missed without a word where there is none, and not otherwise', async () => {
    expect(await askNode(scratch(), 'echo', {})).to.equal(noNodeRunning);
    expect(await askNode(join(scratch(), 'missing'), 'echo', {})).to.equal(noNodeRunning);
    const mute = scratch();
    const hangsUp = createServer((socket) => socket.destroy());
    await new Promise<void>((listening) => hangsUp.listen(controlPath(mute), listening));
    const failure = await askNode(mute, 'echo', {}).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ControlFailed);
    await new Promise((closed) => hangsUp.close(closed));
  });
});
