/** Verifies a downloaded proof in this browser, and offers a copy of the page that works without a node. */
import { Panel } from '../../parts/layout.tsx';
import { VerifyProof } from '../../proof/verify-proof.tsx';

/** Address of that copy. The build inserts it. */
declare const VERIFY_PAGE: string;

export function Verify() {
  return (
    <Panel title="A proof, from its file">
      <VerifyProof />
      <p>
        This page reads the file, and sends it nowhere.{' '}
        <a href={VERIFY_PAGE} download="verify-proof.html">
          Download this checker
        </a>{' '}
        to verify proofs without this node: one file, which works without a network. On the command line:{' '}
        <code>svc-node verify-proof FILE</code>.
      </p>
    </Panel>
  );
}
