/** The admin key, where the reader has given one: in this page's memory, sent only with what needs it. */
import { signal } from '@preact/signals';

export const adminKey = signal<string | undefined>(undefined);
