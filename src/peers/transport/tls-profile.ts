/** The one TLS configuration that peers use, so that no handshake costs more than expected. */
export const tlsProfile = {
  minVersion: 'TLSv1.3',
  sigalgs: 'ed25519',
  ecdhCurve: 'X25519',
  ALPNProtocols: ['http/1.1'],
} as const;
