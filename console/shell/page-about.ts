/** What the page is about, in the words of its data: the shell adds it to the heading and to the window's title. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shortTitle } from '../format/format.ts';

export const pageAbout = signal<string | undefined>(undefined);

/** @param title undefined or null: there is none, or it is not known yet */
export function usePageAbout(title: unknown): void {
  const said = shortTitle(title);
  useEffect(() => {
    pageAbout.value = said;
    return () => {
      pageAbout.value = undefined;
    };
  }, [said]);
}
