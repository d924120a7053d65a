/** The read key: asked for where the node wants one, kept in this page's memory and nowhere else. */
import { signal } from '@preact/signals';

export const readKey = signal<string | undefined>(undefined);

/** Why the node wants a key; set by the answer that said so. */
export const keyWanted = signal<string | undefined>(undefined);

export const keyHeaders = (): { readonly [name: string]: string } =>
  readKey.value === undefined ? {} : { 'X-Api-Key': readKey.value };
