/**
 * The coordinates of a chart's states and lines. `scripts/generate` computes them for each definition version
 * (layouts.ts).
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pixels; `x`, `y` are the upper left corner. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** The room for one transition's label. */
export interface LabelBox extends Box {
  readonly transition: string;
}

export interface NodeBox extends Box {
  /** Path of the state. */
  readonly state: string;
  /** Transitions that stay in the state are listed in it. */
  readonly inside: readonly LabelBox[];
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
  /** Middle of the labels. */
  readonly labelAt: Point;
  /** Space reserved for the labels. */
  readonly labelSize: { readonly width: number; readonly height: number };
  /** The labels on the line, one for each transition. */
  readonly labels: readonly LabelBox[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly NodeBox[];
  readonly edges: readonly Edge[];
}

/** The same chart twice. */
export interface Layouts {
  /** From left to right. */
  readonly wide: Layout;
  /** From top to bottom, for narrow places. */
  readonly tall: Layout;
}
