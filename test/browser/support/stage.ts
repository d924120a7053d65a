/** What a suite in the browser has: a node with what happened on it, and for each test a window with a fresh profile. */
import { expect } from 'chai';
import { isLong } from '../../support/long.js';
import { type Look, looks, missing, Window } from './browser.js';

export interface Scene {
  readonly node: { readonly url: string };
}

export class Stage<S extends Scene> {
  #scene: S | undefined;
  #window: Window | undefined;
  /** Of each test that wants another look than the usual one. */
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

  /** @param part of the page, by its selector */
  shotOf(part: string, name: string): Promise<void> {
    return this.window.shotOf(part, name);
  }

  set(scene: S): void {
    this.#scene = scene;
  }

  /** A new window in the place of the one before. @param url of another node */
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
  /** Once for the suite. */
  readonly open: () => Promise<S>;
  /** Why the suite cannot be run here. */
  readonly lacks?: string | undefined;
  /** Absent where the scene outlives the suite. */
  readonly close?: (scene: S) => Promise<void>;
}

/** `describe` with a stage; without a browser the suite's tests are skipped, one by one, and its title says why. */
export function inBrowser<S extends Scene>(
  title: string,
  { open, close, lacks }: SuiteOptions<S>,
  suite: (stage: Stage<S>) => void,
): void {
  const why = missing ?? lacks;
  if (why !== undefined) return void describe.skip(`${title} (skipped: ${why})`, () => suite(new Stage()));
  describe(title, function () {
    this.timeout(40_000);
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

/** Views that were given a look so far: in the short form they are light and dark in turn. */
let given = 0;

/** The ways in which the next view is looked at: all in the long form, one in the short. */
export function nextLooks(): readonly Look[] {
  if (isLong) return Object.keys(looks) as Look[];
  return [given++ % 2 === 0 ? 'light' : 'dark'];
}

/** A test for each way in which a view is looked at. */
export function inEachLook<S extends Scene>(stage: Stage<S>, title: string, test: (look: Look) => Promise<void>): void {
  for (const look of nextLooks()) {
    stage.looks.set(`${title}: ${look}`, look);
    it(`${title}: ${look}`, () => {
      expect(stage.window.look).to.equal(look);
      return test(look);
    });
  }
}
