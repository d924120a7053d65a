/** The dispute of a resource in a line: 'disputed (quality), settled by Gil: 25 Tokens to Finn, 15 back to Eve'. */
import { path } from '../../../api/read.ts';
import type { Replies } from '../../../api/types.ts';
import { useReadOf } from '../../../api/use-read.ts';
import { count, tokens, words } from '../../../format/format.ts';
import { useSpelling } from '../../../parts/page-home.ts';
import { Did, ResourceLink } from '../../../parts/text.tsx';

interface DisputedProps {
  readonly id: string;
  /** Of the resource: with another one the dispute is read again. */
  readonly version: number;
}

export function Disputed({ id, version }: DisputedProps) {
  const spelled = useSpelling();
  const { data } = useReadOf<Replies['getDispute']>(path`/api/v1/disputes/${spelled(id)}`, version);
  return (
    <p class="disputed">
      <ResourceLink kind="dispute" id={id} text={data ? `disputed (${words(data.reason)})` : undefined} />
      {data && <Ruling {...data} />}
    </p>
  );
}

function Ruling({ resolution, resolvedBy, provider, providerPayment, client, clientRefund }: Replies['getDispute']) {
  if (resolution === null) return <>, not settled yet</>;
  return (
    <>
      , settled by {resolvedBy === null ? 'the clock' : <Did did={resolvedBy} />}: {tokens(providerPayment ?? 0)} to{' '}
      <Did did={provider} />, {count(clientRefund ?? 0)} back to <Did did={client} />
    </>
  );
}
