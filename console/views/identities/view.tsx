import type { View } from '../../shell/views.ts';
import { Identities } from './identities.tsx';

const view: View = { path: 'identities', title: 'Identities', order: 40, Page: Identities };
export default view;
