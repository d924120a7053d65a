import type { JsonObject } from '../core/canonical.js';
import { askNode, noNodeRunning } from '../node/control/client.js';
import { CommandFailed, must } from './failure.js';
import { type CommonOptions, loadSettings } from './settings.js';

/** The answer of the node that runs on the data directory; rejects with CommandFailed if there is none, or it refuses. */
export async function askRunningNode(common: CommonOptions, act: string, input: JsonObject): Promise<JsonObject> {
  const { dataDir } = loadSettings(common);
  const answer = await askNode(dataDir, act, input);
  if (answer === noNodeRunning) throw new CommandFailed(`no node runs on ${dataDir}: start it first`);
  return must(answer);
}
