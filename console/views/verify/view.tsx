import type { View } from '../../shell/views.ts';
import { Verify } from './verify.tsx';

const view: View = { path: 'verify', title: 'Verify', order: 60, Page: Verify };
export default view;
