/** Checks a proof that somebody has downloaded, in this browser, and offers the same page to keep. */
import { Panel } from '../../parts/layout.tsx';
import { VerifyProof } from '../../proof/verify-proof.tsx';

/** Address of the page that needs no node; the build puts it in. */
declare const VERIFY_PAGE: string;

export function Verify() {
  return (
    <Panel title="A proof, from its file">
      <VerifyProof />
      <p>
        The file is read by this page and sent nowhere.{' '}
        <a href={VERIFY_PAGE} download="verify-proof.html">
          Download this checker
        </a>{' '}
        to verify proofs without this node: one file, which works without a network. On the command line:{' '}
        <code>svc-node verify-proof FILE</code>.
      </p>
    </Panel>
  );
}
