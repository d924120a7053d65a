/** What a starting home learns about its own journal from a peer that knows two versions of it. */
import { expect } from 'chai';
import type { Did } from '../../../src/core/codecs/did.js';
import type { Checkpoint } from '../../../src/peers/checkpoint.js';
import { askedHead } from '../../../src/peers/peering/own-head-peer.js';
import type { PeerLink } from '../../../src/peers/peering/peer-link.js';
import { type PeerServiceOptions, peerService } from '../../../src/peers/peering/peer-requests.js';
import type { PeerReply, PeerRequest } from '../../../src/peers/transport/transport.js';

const home = 'did:svc:home' as Did;
const checkpoint = (seq: number, chainHash: string) => ({ home, seq, chainHash }) as Checkpoint;

/** Asks a peer that has heard of the newest checkpoint and follows the home up to the other one. */
async function endToldBy(newest: Checkpoint | undefined, held: Checkpoint | undefined) {
  const service = peerService({
    isMember: () => true,
    heads: { newest: () => newest, news: { resend: () => {} } },
    followed: () => held,
    now: () => 7,
    onFault: (error: unknown) => expect.fail(String(error)),
  } as unknown as PeerServiceOptions);
  const stated: unknown[] = [];
  const link = {
    member: { did: home },
    statesTime: (time: unknown) => stated.push(time),
    async request(method: string, path: string) {
      let answer = { status: 0, body: '' };
      const send = async (status: number, body = '') => {
        answer = { status, body };
        return true;
      };
      const request = { did: home, method, path, query: new URLSearchParams() };
      await service.handle(request as PeerRequest, { send } as unknown as PeerReply);
      return answer;
    },
  } as unknown as PeerLink;
  const checkpoints = await askedHead(link);
  expect(stated, 'its clock').to.deep.equal([7]);
  return checkpoints;
}

describe('The own head as a peer reports it', () => {
  it('is both the newest that it heard and what it follows, which may be of two journals', async () => {
    const [second, first] = [checkpoint(9, 'second'), checkpoint(7, 'first')];
    expect(await endToldBy(second, first)).to.deep.equal([second, first]);
  });

  it('is nothing where it follows nothing', async () => {
    expect(await endToldBy(undefined, undefined)).to.deep.equal([]);
  });
});
