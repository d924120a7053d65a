/** One identity: its document, its reputation, and every event that it signed, verified here. */
import { path } from '../../api/read.ts';
import type { Identity, JsonObject } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { nameOf } from '../../names/names.ts';
import { HomeNote } from '../../parts/home.tsx';
import { InLists } from '../../parts/in-lists.tsx';
import { JsonText } from '../../parts/json.tsx';
import { Facts, Panel } from '../../parts/layout.tsx';
import { LooksLike } from '../../parts/looks-like.tsx';
import { isObject, Members } from '../../parts/members.tsx';
import { Shown } from '../../parts/reading.tsx';
import { ReputationPanel } from '../../parts/reputation.tsx';
import { Badge, Code, Copy, Elsewhere, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';
import { EventChain } from './event-chain.tsx';
import { OwnName } from './own-name.tsx';
import { Person } from './person.tsx';

export function IdentityPage({ did }: { did: string }) {
  const identity = useRead<Identity>(path`/api/v1/identities/${did}`);
  return (
    <Shown reading={identity}>
      {(data) => (
        <>
          <HomeNote {...data}>This node knows the DID from there.</HomeNote>
          <Document identity={data} />
          <Person key={data.did} did={data.did} />
          <InLists did={data.did} />
          <div class="columns">
            <ReputationPanel did={data.did} />
            <Keys identity={data} />
          </div>
          {data.capabilities.length > 0 && <Capabilities credentials={data.capabilities} expired={data.expired} />}
          <EventChain key={data.did} did={data.did} isElsewhere={data.home !== undefined} />
          <OwnName did={data.did} />
        </>
      )}
    </Shown>
  );
}

const Document = ({
  identity: { did, displayName, bio, avatar, platformLinks, erased, hidden },
}: {
  identity: Identity;
}) => (
  <section class="panel identity-head" aria-label="Identity">
    <h2 class="whole-did">
      <span class="mono">{did}</span>
      <Copy text={did} what="DID" />
    </h2>
    {displayName && <LooksLike did={did} name={displayName} />}
    {displayName && displayName !== nameOf(did)?.text && (
      <p>
        Named <bdi>{displayName}</bdi> in its document
      </p>
    )}
    {bio && <p class="plain-text">{bio}</p>}
    {hidden && <p class="faint">Profile {hidden}</p>}
    {erased && <p class="faint">Erased: {erased.join(', ')}</p>}
    {(platformLinks?.length || avatar) && (
      <ul class="identity-links">
        {avatar && (
          <li>
            <span class="faint">picture</span> <Elsewhere url={avatar} />
          </li>
        )}
        {platformLinks?.map(({ platform, url }) => (
          <li key={`${platform} ${url}`}>
            <span class="faint">{platform}</span> <Elsewhere url={url} />
          </li>
        ))}
      </ul>
    )}
  </section>
);

const Keys = ({ identity }: { identity: Identity }) => (
  <Panel title="DID document">
    <Facts
      facts={[
        ['Public key', <Code key="key" text={identity.publicKey} what="public key" head={12} tail={8} />],
        ['Address', <Code key="address" text={identity.address} what="address" head={12} tail={6} />],
        [
          'Controller',
          identity.controller === null ? (
            <Badge key="controller" tone="bad">
              revoked
            </Badge>
          ) : (
            <Code key="controller" text={identity.controller} what="EVM address" head={10} tail={6} />
          ),
        ],
        ['Document hash', <Code key="hash" text={identity.docHash} what="hash of the document" head={12} tail={8} />],
        ['Created', identity.created === null ? undefined : <Time key="created" at={identity.created} />],
        ['Updated', identity.updated === null ? undefined : <Time key="updated" at={identity.updated} />],
        [
          'Account',
          <a key="account" href={href('ledger', ['account', identity.did])}>
            balance and history
          </a>,
        ],
      ]}
    />
  </Panel>
);

interface Credentials {
  readonly credentials: readonly (JsonObject | null)[];
  /** Of each, at its place. */
  readonly expired: readonly boolean[];
}

const Capabilities = ({ credentials, expired }: Credentials) => (
  <Panel title="Capability credentials">
    <div class="stack">
      {credentials.map((credential, index) => (
        <div key={index}>
          {expired[index] && <p class="faint">Credential {index + 1} has expired.</p>}
          {credential === null && <p class="faint">Credential {index + 1} was erased.</p>}
          {isObject(credential?.credentialSubject) && (
            <Members of={credential.credentialSubject} label={`Credential ${index + 1}`} />
          )}
          {credential && (
            <details>
              <summary>The whole credential</summary>
              <JsonText value={credential} label={`Credential ${index + 1} as JSON`} />
            </details>
          )}
        </div>
      ))}
    </div>
  </Panel>
);
