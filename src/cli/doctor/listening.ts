/** Checks the address of the API: the port, the certificate, and the reply of a running node. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dayMs } from '../../core/bounds.js';
import { realEnvironment } from '../../core/environment.js';
import type { Config } from '../../node/config/config.js';
import type { NodeProcess } from '../running-node.js';
import type { Check, DoctorContext } from './check.js';
import type { Findings } from './finding.js';

const timeoutMs = 5_000;
const renewalDays = 14;

const port: Check<DoctorContext> = {
  about: 'port',
  async look({ config, running }, findings) {
    if (running) return answers(running, findings);
    const { host, port: wanted } = config;
    const code = await whyNot(host, wanted);
    if (code === undefined) return findings.ok(`${host}:${wanted} is free`);
    const says = `${host}:${wanted} cannot be used (${code})`;
    if (code === 'EADDRINUSE')
      findings.problem(`${says}: another program uses it`, 'choose another with SVC_PORT; 0 takes a free one');
    else if (code === 'EACCES') findings.problem(says, 'choose a port above 1023 with SVC_PORT');
    else findings.problem(says, 'choose an address of this machine with SVC_HOST');
  },
};

async function answers({ url, pid }: NodeProcess, findings: Findings): Promise<void> {
  const restart = `look at its log; run svc-node status; end it with kill ${pid} and start it again`;
  let body: { status?: string; reasons?: readonly string[] };
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    body = (await response.json()) as typeof body;
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    return findings.problem(`process ${pid} runs, and ${url} does not answer: ${why}`, restart);
  }
  for (const reason of body.reasons ?? [])
    findings.problem(`the node says: ${reason}`, 'docs/operations.md, “What happens when …”, says what to do');
  if (body.status === 'ready') findings.ok(`${url} answers, and is ready`);
  else if ((body.reasons ?? []).length === 0) findings.problem(`${url}/readyz says ${String(body.status)}`, restart);
}

/** The error code of an attempt to listen; undefined when it succeeds. */
const whyNot = (host: string, wanted: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(wanted, host, () => server.close(() => resolve(undefined)));
  });

const certificate: Check<DoctorContext> = {
  about: 'certificate',
  look({ config: { tls } }: { config: Config }, findings) {
    if (!tls) return;
    const mend = 'renew it, and start the node again';
    const found = new X509Certificate(readFileSync(tls.cert));
    if (!found.checkPrivateKey(createPrivateKey(readFileSync(tls.key)))) {
      findings.problem('SVC_TLS_KEY is not the key of SVC_TLS_CERT', 'name two files that belong together');
    }
    const leftDays = Math.floor((Date.parse(found.validTo) - realEnvironment.now()) / dayMs);
    if (leftDays < 0) findings.problem(`it expired on ${found.validTo}`, mend);
    else if (leftDays < renewalDays) findings.warning(`it expires on ${found.validTo}`, mend);
    else findings.ok(`valid until ${found.validTo}`);
  },
};

const limits: Check<DoctorContext> = {
  about: 'limits',
  look({ config }, findings) {
    const { connectionsPerAddress, peerConnectionsPerAddress, peerHandshakesPerAddress, trustedProxies } = config;
    const api = trustedProxies.length === 0 ? 'one address' : 'one address that is no trusted proxy';
    findings.ok(
      `${api} may have ${connectionsPerAddress} connections to the API; of peers, ${peerConnectionsPerAddress} connections and ${peerHandshakesPerAddress} handshakes in progress`,
    );
  },
};

export const listeningChecks: readonly Check<DoctorContext>[] = [port, limits, certificate];
