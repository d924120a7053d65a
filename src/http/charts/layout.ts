/** The places of a chart's states and lines. `scripts/generate` computes them for each version of a definition (layouts.ts). */

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

/** One line in the drawing, which transitions between the same two states share. */
export interface Edge {
  /** Ids. */
  readonly transitions: readonly string[];
  /** Null: begins at a dot, which is the first of `points`. */
  readonly from: string | null;
  readonly to: string;
  readonly points: readonly Point[];
  /** Names of the actions, a line each. */
  readonly label: string;
  /** Middle of the label. */
  readonly labelAt: Point;
  /** Room that was left for it. */
  readonly labelSize: { readonly width: number; readonly height: number };
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly NodeBox[];
  readonly edges: readonly Edge[];
}
