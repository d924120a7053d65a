/** The page that verifies proofs without a node: one file that sends no requests. */
import { render } from 'preact';
import { VerifyProof } from '../proof/verify-proof.tsx';

const root = document.getElementById('app');
if (root) render(<VerifyProof />, root);
