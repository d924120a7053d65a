/** The command's end of the control socket. */
import { connect } from 'node:net';
import type { JsonObject } from '../machines/kernel/canonical.js';
import { type Refusal, refuse } from '../machines/kernel/refusal.js';
import { type Answer, lineOf, type OnProgress } from './protocol.js';
import { controlPath, withShortPath } from './socket-path.js';

/** The node that was asked failed, or went away before it answered; the message says what is known. */
export class ControlFailed extends Error {
  override name = 'ControlFailed';
}

/** No node listens on the data directory: there is no socket, or its process is dead. */
export const nobodyThere = Symbol('no node listens');

const absent = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

/** Asks the node that runs on a data directory. @throws ControlFailed */
export function askNode(
  dataDir: string,
  act: string,
  input: JsonObject,
  onProgress: OnProgress = () => {},
): Promise<JsonObject | Refusal | typeof nobodyThere> {
  const path = controlPath(dataDir);
  return withShortPath(path, (short) => converse(short, lineOf({ act, input }), onProgress));
}

function converse(
  path: string,
  question: string,
  onProgress: OnProgress,
): Promise<JsonObject | Refusal | typeof nobodyThere> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(question));
    let heard = '';
    socket.setEncoding('utf8');
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (absent.includes(error.code ?? '')) resolve(nobodyThere);
      else reject(new ControlFailed(`the node's control socket cannot be used: ${error.message}`, { cause: error }));
    });
    socket.on('data', (chunk: string) => {
      const lines = (heard + chunk).split('\n');
      heard = lines.pop() ?? '';
      for (const line of lines) {
        const answer = JSON.parse(line) as Answer;
        if ('progress' in answer) onProgress(...answer.progress);
        else if ('done' in answer) resolve(answer.done);
        else if ('refused' in answer) resolve(refuse(answer.refused.code, answer.refused.detail));
        else reject(new ControlFailed(answer.failed));
      }
    });
    socket.on('close', () => reject(new ControlFailed('the node went away before it answered')));
  });
}
