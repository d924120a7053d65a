/** A DID's reputation score with its dimensions. */

import { path } from '../api/read.ts';
import type { Reputation } from '../api/types.ts';
import { useRead } from '../api/use-read.ts';
import { capital, count } from '../format/format.ts';
import { Facts, Panel } from './layout.tsx';
import { Failure, Loading } from './reading.tsx';
import { Badge, Time } from './text.tsx';

const dimensions = ['transaction', 'fulfillment', 'quality', 'social', 'behavior'] as const;

export function ReputationPanel({ did, title = 'Reputation' }: { did: string; title?: string }) {
  const { data, problem, loading, reload } = useRead<Reputation>(`${path`/api/v1/reputations/${did}`}?orEmpty=true`);
  const isNew = data?.updatedAt === 0;
  return (
    <Panel title={title} aside={data && !isNew && <Badge>{data.level}</Badge>}>
      {isNew && <p class="faint">No records yet: this DID has not finished anything that others could review.</p>}
      {problem && <Failure problem={problem} onRetry={reload} />}
      {loading && <Loading />}
      {data && !isNew && <Scores reputation={data} />}
    </Panel>
  );
}

function Scores({ reputation }: { reputation: Reputation }) {
  const { score, totalTransactions, successRate, averageRating, updatedAt } = reputation;
  return (
    <div class="reputation">
      <p class="score">
        <span class="figure">{score ?? '–'}</span> <span class="faint">of 1,000</span>
      </p>
      <dl class="dimensions">
        {dimensions.map((name) => (
          <Bar key={name} name={name} dimension={reputation.dimensions[name]} />
        ))}
      </dl>
      <Facts
        facts={[
          ['Transactions', count(totalTransactions)],
          ['Without a lost dispute', successRate === null ? undefined : `${Math.round(successRate * 100)} %`],
          ['Rating', averageRating === null ? undefined : `${averageRating.toFixed(1)} of 5 stars`],
          ['Newest record', <Time key="at" at={updatedAt} />],
        ]}
      />
    </div>
  );
}

function Bar({ name, dimension }: { name: string; dimension: Reputation['dimensions'][(typeof dimensions)[number]] }) {
  const score = dimension?.score ?? null;
  return (
    <div>
      <dt>{capital(name)}</dt>
      <dd>
        <svg viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">
          <rect class="ground" width={1000} height={8} />
          {score !== null && <rect class="share" width={score} height={8} />}
        </svg>
        <span class={score === null ? 'number faint' : 'number'}>{score ?? 'none'}</span>
        <span class="number faint">
          {dimension ? `${count(dimension.count)} ${dimension.count === 1 ? 'record' : 'records'}` : ''}
        </span>
      </dd>
    </div>
  );
}
