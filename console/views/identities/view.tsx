import { nameOf } from '../../names/names.ts';
import type { View } from '../../shell/views.ts';
import { Identities } from './identities.tsx';

const view: View = {
  ...{ path: 'identities', title: 'Identities', order: 40, Page: Identities },
  titleOf: ({ segments: [did] }) => (did === undefined ? undefined : (nameOf(did)?.text ?? 'Identity')),
};
export default view;
