/** `svc-node/model`: the machines of the kinds, and every path through them as HTTP requests, for other people's tests. */
import type { AnyStateMachine } from 'xstate';
import { type Chart, chartOf as draw } from '../../../src/machines/kernel/chart.js';
import { definitionNamed } from './paths.js';

export type { Chart, ChartTransition } from '../../../src/machines/kernel/chart.js';
export type { Path, PathOptions } from './path.js';
export { kinds, paths, settingsOf, TooManyPaths, UnknownModel } from './paths.js';
export type { Scenario } from './scenario.js';
export type { WalkedKinds } from './scenarios.js';
export { type Expected, fill, kept, type Step, Unfilled, type Values } from './steps.js';

/** The XState machine of a kind: its states, guards and transitions. Pure: it can be given to any tool of XState. */
export const machineOf = (kind: string): AnyStateMachine => definitionNamed(kind).machine;

/** The machine of a kind as data: who may take each transition, its guards, and the refusal that each guard gives. */
export const chartOf = (kind: string): Chart => draw(definitionNamed(kind));
