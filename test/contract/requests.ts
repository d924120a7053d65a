/** Remote requests in each state, with the labels that their definition gives them. */
import { labelsOf } from '../../src/actors/build-entry.js';
import { catalogue } from '../../src/machines/catalogue.js';
import type { Commit } from '../../src/store/store.js';
import type { EntryBuilder } from './entries.js';

const kind = 'remote-request';
const unanswered = { signer: 'did:svc:ada', home: 'did:svc:b', money: 2, answer: null };
const contexts = {
  sent: unanswered,
  accepted: { ...unanswered, answer: 'hash' },
  refused: { ...unanswered, answer: 'hash', code: 'CONFLICT' },
  'given-up': { ...unanswered, loss: 2, owner: 'did:svc:bob' },
  'answered-late': { ...unanswered, answer: 'hash', loss: 2 },
};

/** @returns a commit for each state; the id of a request is its state */
export const requestCommits = (builder: EntryBuilder): readonly Commit[] =>
  Object.entries(contexts).map(([state, context]) => {
    const add = labelsOf(catalogue.definitions[kind], context);
    return builder.commit({ issuer: unanswered.signer, resources: [{ kind, id: state, state, context, add }] });
  });
