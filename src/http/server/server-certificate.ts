/** The certificate of the HTTPS server. When its files change, they are read again, so renewing them needs no restart. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { bounds } from '../../core/bounds.js';
import type { Environment, Timer } from '../../core/environment.js';
import type { Log } from '../../core/log.js';

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

const isSame = (a: Pair, b: Pair): boolean => a.cert.equals(b.cert) && a.key.equals(b.key);

const forwardSecret = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
].join(':');

/** Forward secrecy: a key that is stolen later does not decrypt recorded traffic. */
const optionsOf = (pair: Pair): SecureContextOptions => ({ ...pair, ciphers: forwardSecret, minVersion: 'TLSv1.2' });

export class ServerCertificate {
  /** For the operator: why the files, which have changed, are not used. */
  problem: string | undefined;
  #used: Pair;

  constructor(
    private readonly files: CertificateFiles,
    private readonly world: Environment,
    private readonly log: Log,
  ) {
    this.#used = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
  }

  get options(): SecureContextOptions {
    return optionsOf(this.#used);
  }

  /** Looks at the files until the server is closed. Open connections keep the certificate that they have. */
  follow(server: Server): void {
    let timer: Timer;
    let isClosed = false;
    const later = () => {
      if (!isClosed) timer = this.world.after(bounds.certificateCheckMs, () => void this.#look(server).then(later));
    };
    later();
    server.once('close', () => {
      isClosed = true;
      timer.cancel();
    });
  }

  async #look(server: Server): Promise<void> {
    const { cert, key } = this.files;
    try {
      const found = { cert: await readFile(cert), key: await readFile(key) };
      if (!isSame(found, this.#used)) {
        server.setSecureContext(optionsOf(found));
        this.#used = found;
        this.log.info({ cert }, 'the certificate was renewed');
      }
      this.problem = undefined;
    } catch (error) {
      const problem = `${cert} and ${key} cannot be used (${(error as Error).message}); the earlier certificate is used`;
      if (problem !== this.problem) this.log.warn({ err: error }, problem);
      this.problem = problem;
    }
  }
}
