/**
 * Every path of a kind's machine as HTTP steps, for integrators' tests (docs/testing.md). XState's graph tools find
 * them over the machine and the scenario of the kind; the definition says what each step must return.
 */
import { requestedOf } from '../../../src/machines/catalogue.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import type { Path, PathOptions } from './path.js';
import { Pathfinder } from './pathfinder.js';
import { ownKinds, scenarioOf, type WalkedKinds } from './scenarios.js';
import type { Way } from './ways.js';

/** There are more paths than a test can run. */
export class TooManyPaths extends Error {
  override name = 'TooManyPaths';

  constructor(kind: string) {
    super(`${kind} has more than ${mostPaths} such paths: bound them with steps, to or most`);
  }
}

/** No kind, or no setting of it, has this name. */
export class UnknownModel extends Error {
  override name = 'UnknownModel';

  constructor(what: string, known: readonly string[]) {
    super(`${what}; there are: ${known.join(', ')}`);
  }
}

const mostPaths = 1_000;

export const kinds = ({ catalogue }: WalkedKinds = ownKinds): string[] =>
  requestedOf(catalogue).map(({ kind }) => kind);

export function definitionNamed(kind: string, from: WalkedKinds = ownKinds): AnyResource {
  const found = requestedOf(from.catalogue).find((each) => each.kind === kind);
  if (!found) throw new UnknownModel(`no kind has the name ${kind}`, kinds(from));
  return found;
}

/** Names of a kind's settings. */
export const settingsOf = (kind: string, from: WalkedKinds = ownKinds): string[] =>
  Object.keys(scenarioOf(definitionNamed(kind, from), from).settings);

/**
 * The paths of a kind, shorter ones first within each setting.
 * @param from kinds of your own, with their scenarios; default: this package's
 * @throws UnknownModel, TooManyPaths
 */
export function paths(kind: string, options: PathOptions = {}, from: WalkedKinds = ownKinds): Path[] {
  const definition = definitionNamed(kind, from);
  const { setting: only, most = mostPaths } = options;
  const settings = settingsOf(kind, from);
  if (only !== undefined && !settings.includes(only))
    throw new UnknownModel(`no setting of ${kind} is ${only}`, settings);
  const found: { stage: Pathfinder; way: Way }[] = [];
  for (const name of settings) {
    if (only !== undefined && name !== only) continue;
    const stage = new Pathfinder(definition, name, from);
    for (const way of stage.ways(options)) {
      if (found.length === most) {
        if (options.most === undefined) throw new TooManyPaths(kind);
        break;
      }
      found.push({ stage, way });
    }
  }
  return found.flatMap(({ stage, way }) => stage.path(way, options.late ?? false) ?? []);
}
