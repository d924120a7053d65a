/** The read key. The console asks for it when the node requires one, and keeps it in this page's memory only. */
import { signal } from '@preact/signals';

export const readKey = signal<string | undefined>(undefined);

/** Why the node requires a key: the detail of its last 401 answer. While it is set, the dialog for the key is open. */
export const keyWanted = signal<string | undefined>(undefined);

export const keyHeaders = (): { readonly [name: string]: string } =>
  readKey.value === undefined ? {} : { 'X-Api-Key': readKey.value };
