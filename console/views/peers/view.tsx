import type { View } from '../../shell/views.ts';
import { Peers } from './peers.tsx';

const view: View = { path: 'peers', title: 'Peers', order: 55, Page: Peers };
export default view;
