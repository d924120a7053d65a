/** The client of the control socket. */
import { connect } from 'node:net';
import type { JsonObject } from '../../core/canonical.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import { type ControlResponse, lineOf, type OnProgress } from './protocol.js';
import { controlPath, withShortPath } from './socket-path.js';

/** The request failed in the node, or the node exited before it answered. */
export class ControlFailed extends Error {
  override name = 'ControlFailed';
}

/** No node runs on the data directory: there is no socket, or its process is dead. */
export const noNodeRunning = Symbol('no node listens');

const absent = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

/** Sends a request to the node that runs on a data directory. Rejects with ControlFailed. */
export function askNode(
  dataDir: string,
  act: string,
  input: JsonObject,
  onProgress: OnProgress = () => {},
): Promise<JsonObject | Refusal | typeof noNodeRunning> {
  const path = controlPath(dataDir);
  return withShortPath(path, (short) => converse(short, lineOf({ act, input }), onProgress));
}

function converse(
  path: string,
  question: string,
  onProgress: OnProgress,
): Promise<JsonObject | Refusal | typeof noNodeRunning> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(question));
    let heard = '';
    socket.setEncoding('utf8');
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (absent.includes(error.code ?? '')) resolve(noNodeRunning);
      else reject(new ControlFailed(`the node's control socket cannot be used: ${error.message}`, { cause: error }));
    });
    socket.on('data', (chunk: string) => {
      const lines = (heard + chunk).split('\n');
      heard = lines.pop() ?? '';
      for (const line of lines) {
        const answer = JSON.parse(line) as ControlResponse;
        if ('progress' in answer) onProgress(...answer.progress);
        else if ('done' in answer) resolve(answer.done);
        else if ('refused' in answer) resolve(refuse(answer.refused.code, answer.refused.detail));
        else reject(new ControlFailed(answer.failed));
      }
    });
    socket.on('close', () => reject(new ControlFailed('the node exited before it answered')));
  });
}
