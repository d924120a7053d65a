/**
 * The coordinates of a chart's states and lines. `scripts/generate` computes them for each definition version
 * (layouts.ts).
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pixels; `x`, `y` are the upper left corner. */
export interface NodeBox extends Point {
  /** Path of the state. */
  readonly state: string;
  readonly width: number;
  readonly height: number;
}

/** One line of the drawing, shared by all transitions between the same two states. */
export interface Edge {
  /** Ids of the transitions. */
  readonly transitions: readonly string[];
  /** Null: the line begins at the initial dot, the first of `points`. */
  readonly from: string | null;
  readonly to: string;
  readonly points: readonly Point[];
  /** Names of the actions, a line each. */
  readonly label: string;
  /** Middle of the label. */
  readonly labelAt: Point;
  /** Space reserved for the label. */
  readonly labelSize: { readonly width: number; readonly height: number };
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly NodeBox[];
  readonly edges: readonly Edge[];
}
