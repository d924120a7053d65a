/** What a browser suite uses: a node with a history, and for each test a window with a fresh profile. */
import { expect } from 'chai';
import { isLong } from '../../support/long.js';
import { type Look, looks, missing, Window } from './browser.js';

export interface Scene {
  readonly node: { readonly url: string };
}

export class Stage<S extends Scene> {
  #scene: S | undefined;
  #window: Window | undefined;
  /** By test title: the look, where it is not the usual one. */
  readonly looks = new Map<string, Look>();

  get scene(): S {
    return this.#scene!;
  }

  get window(): Window {
    return this.#window!;
  }

  get page(): Window['page'] {
    return this.window.page;
  }

  /** @param part selector of a part of the page */
  shotOf(part: string, name: string): Promise<void> {
    return this.window.shotOf(part, name);
  }

  /** Holds requests of the page back. @returns lets them go */
  async hold(url: string): Promise<() => void> {
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await this.page.route(url, async (route) => {
      await held;
      await route.continue();
    });
    return letGo;
  }

  set(scene: S): void {
    this.#scene = scene;
  }

  /** Replaces the window by a new one. @param url of another node */
  async open(look: Look = 'light', url: string = this.scene.node.url): Promise<Window> {
    await this.close();
    this.#window = await Window.open(url, look);
    return this.#window;
  }

  async close(): Promise<void> {
    await this.#window?.close();
    this.#window = undefined;
  }
}

interface SuiteOptions<S extends Scene> {
  /** Called once for the suite. */
  readonly open: () => Promise<S>;
  /** Why the suite cannot run here. */
  readonly lacks?: string | undefined;
  /** Absent if the scene outlives the suite. */
  readonly close?: (scene: S) => Promise<void>;
}

/** `describe` with a stage. Without a browser each test of the suite is skipped, and the title says why. */
export function inBrowser<S extends Scene>(
  title: string,
  { open, close, lacks }: SuiteOptions<S>,
  suite: (stage: Stage<S>) => void,
): void {
  const why = missing ?? lacks;
  if (why !== undefined) return void describe.skip(`${title} (skipped: ${why})`, () => suite(new Stage()));
  describe(title, () => {
    const stage = new Stage<S>();
    before(async () => stage.set(await open()));
    after(async () => {
      if (close && stage.scene) await close(stage.scene);
    });
    beforeEach(function () {
      return stage.open(stage.looks.get(this.currentTest!.title));
    });
    afterEach(() => stage.close());
    suite(stage);
  });
}

/** Counts the views, because the short form alternates between light and dark. */
let given = 0;

/** The looks of the next view: all in the long form, one in the short form. */
export function nextLooks(): readonly Look[] {
  if (isLong) return Object.keys(looks) as Look[];
  return [given++ % 2 === 0 ? 'light' : 'dark'];
}

/** Adds a test for each look of a view. */
export function inEachLook<S extends Scene>(stage: Stage<S>, title: string, test: (look: Look) => Promise<void>): void {
  for (const look of nextLooks()) {
    stage.looks.set(`${title}: ${look}`, look);
    it(`${title}: ${look}`, () => {
      expect(stage.window.look).to.equal(look);
      return test(look);
    });
  }
}
