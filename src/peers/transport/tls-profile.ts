/** TLS as peers speak it, and nothing else: then no handshake costs more than ours. */
export const tlsProfile = {
  minVersion: 'TLSv1.3',
  sigalgs: 'ed25519',
  ecdhCurve: 'X25519',
  ALPNProtocols: ['http/1.1'],
} as const;
