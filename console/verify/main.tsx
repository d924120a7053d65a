/** The page that checks proofs without a node: one file, which asks nothing of any network. */
import { render } from 'preact';
import { VerifyProof } from '../proof/verify-proof.tsx';

const root = document.getElementById('app');
if (root) render(<VerifyProof />, root);
