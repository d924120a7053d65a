/** The client's description of remote requests, which other actions send. */
import type { Kind, TypesOf } from '../kind.js';
import type { RemoteRequest } from '../wire.js';

export interface RemoteRequestTypes extends TypesOf<'RemoteRequest', RemoteRequest, 'listRemoteRequests'> {}

const shape = {
  kind: 'remote-request',
  path: '/remote-requests',
  madeElsewhere: true,
  idField: 'remoteRequestId',
  list: 'remoteRequests',
  actions: {},
} as const;

export const remoteRequestKind: Kind<RemoteRequestTypes, typeof shape> = shape;
