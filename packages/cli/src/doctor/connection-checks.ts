import { connect } from 'node:tls';
import { errorCode } from '@holdword/protocol/internal';
import { isLoopback } from '@holdword/net/internal';
import type { AgentSubject } from './agent-subject.ts';
import { blocking, fine, warning, type Check, type Finding, type Side } from './check.ts';

const HANDSHAKE_MILLISECONDS = 5_000;
/** Tokens are checked with less tolerance than this. */
const MOST_SKEW_SECONDS = 60;

/** What an error of the system says about the way to an agent. */
interface Obstacle {
  readonly check: 'host' | 'connection' | 'tls';
  readonly side: Side;
  readonly found: string;
  readonly fix: string;
}

const NO_HOST = 'Check the spelling of the host after -a, and the DNS of this machine.';
const NO_SERVER = 'Start the agent, or correct the port after -a.';
const FIREWALL =
  'Check firewalls and security groups between here and the agent, and that it listens on an outside address.';
const TRUST =
  'If you trust its issuer, name the certificate of the issuer: export NODE_EXTRA_CA_CERTS=ca.pem';
const SELF_SIGNED: Omit<Obstacle, 'found'> = { check: 'tls', side: 'the agent', fix: TRUST };

const OBSTACLES: Readonly<Record<string, Obstacle>> = {
  ENOTFOUND: { check: 'host', side: 'this machine', found: 'The host name does not exist', fix: NO_HOST },
  EAI_AGAIN: { check: 'host', side: 'this machine', found: 'The host name cannot be resolved', fix: NO_HOST },
  ECONNREFUSED: { check: 'connection', side: 'the agent', found: 'Nothing listens there', fix: NO_SERVER },
  ETIMEDOUT: { check: 'connection', side: 'the network', found: 'There is no answer', fix: FIREWALL },
  ABORT_ERR: {
    check: 'connection',
    side: 'the network',
    found: 'There is no answer within 10 seconds',
    fix: FIREWALL,
  },
  EHOSTUNREACH: { check: 'connection', side: 'the network', found: 'The host is unreachable', fix: FIREWALL },
  ENETUNREACH: {
    check: 'connection',
    side: 'this machine',
    found: 'The network is unreachable',
    fix: 'Check the network of this machine.',
  },
  CERT_HAS_EXPIRED: {
    check: 'tls',
    side: 'the agent',
    found: 'The TLS certificate has expired',
    fix: 'Its operator has to renew the certificate. If it is valid, the clock of this machine is wrong: date',
  },
  CERT_NOT_YET_VALID: {
    check: 'tls',
    side: 'this machine',
    found: 'The TLS certificate is not valid yet',
    fix: 'Set the clock of this machine: timedatectl set-ntp true',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    check: 'tls',
    side: 'the agent',
    found: 'The TLS certificate is for another host name',
    fix: 'Use the host name of the certificate after -a, or let its operator add this one.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: { ...SELF_SIGNED, found: 'The TLS certificate is self-signed' },
  SELF_SIGNED_CERT_IN_CHAIN: {
    ...SELF_SIGNED,
    found: 'The TLS certificate is from an issuer that is not trusted here',
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    ...SELF_SIGNED,
    found: 'The TLS certificate is from an issuer that is not trusted here',
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    ...SELF_SIGNED,
    found: 'The server does not send the certificate of its issuer, or it is not trusted here',
  },
  EPROTO: {
    check: 'tls',
    side: 'this machine',
    found: 'The server does not speak TLS on this port',
    fix: 'Use http:// instead of https:// after -a.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    check: 'tls',
    side: 'this machine',
    found: 'The server does not speak TLS on this port',
    fix: 'Use http:// instead of https:// after -a.',
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    check: 'tls',
    side: 'this machine',
    found: 'The server does not speak TLS on this port',
    fix: 'Use http:// instead of https:// after -a.',
  },
};

/** The way to the server of an agent: name, connection, TLS, clocks. A card in a file has none of it. */
export const CONNECTION_CHECKS: readonly Check<AgentSubject>[] = [
  { id: 'host', run: (subject) => examine(subject, 'host', ({ hostname }) => `${hostname} has an address.`) },
  { id: 'connection', run: (subject) => examine(subject, 'connection', ({ host }) => `${host} answers.`) },
  {
    id: 'tls',
    async run(subject) {
      const { url } = subject;
      if (url?.protocol !== 'http:') return examine(subject, 'tls', () => 'The certificate is valid.');
      if (isLoopback(url.hostname)) return undefined;
      return warning(
        'the agent',
        'The agent is called over plain HTTP: others on the way can read keys and messages.',
        'Put a proxy with TLS in front of it, and use https:// after -a.',
      );
    },
  },
  { id: 'clock', run: compareClocks },
];

async function examine(
  subject: AgentSubject,
  check: Obstacle['check'],
  whenFine: (url: URL) => string,
): Promise<Finding | undefined> {
  const { url } = subject;
  if (url === undefined) return undefined;
  try {
    await subject.probe(url);
  } catch (error) {
    const obstacle = OBSTACLES[codeOf(error)] ?? (await otherObstacle(url, error));
    if (obstacle.check === check)
      return blocking(obstacle.side, `${obstacle.found}: ${url.host}.`, obstacle.fix);
  }
  return fine(whenFine(url));
}

/** A name with several addresses fails with one error for all of them. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof Error && error.name === 'TimeoutError') return 'ABORT_ERR';
  return errorCode(error) ?? '';
}

async function otherObstacle({ hostname, port, protocol }: URL, error: unknown): Promise<Obstacle> {
  if (protocol === 'http:' && (await speaksTls(hostname, Number(port || 80)))) {
    return {
      check: 'connection',
      side: 'this machine',
      found: 'The server speaks TLS on this port',
      fix: 'Use https:// instead of http:// after -a.',
    };
  }
  return {
    check: 'connection',
    side: 'the network',
    found: `The connection was cut (${codeOf(error) || 'no reason was given'})`,
    fix: 'Look at the log of the server, or of the proxy in front of it.',
  };
}

function speaksTls(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // Only whether there is a handshake counts: nothing is sent.
  const socket = connect({ host, port, rejectUnauthorized: false }, () => resolve(true));
  socket.setTimeout(HANDSHAKE_MILLISECONDS, () => resolve(false));
  socket.on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** Tokens and certificates have a time. Which of the two clocks is wrong cannot be known here. */
async function compareClocks(subject: AgentSubject): Promise<Finding | undefined> {
  if (subject.url === undefined) return undefined;
  const { headers, receivedAt } = await subject.probe(subject.url);
  const theirs = Date.parse(headers['date']?.toString() ?? '');
  if (Number.isNaN(theirs)) return undefined;
  const skew = Math.round((theirs - receivedAt) / 1_000);
  if (Math.abs(skew) <= MOST_SKEW_SECONDS) return fine('The clocks of both machines agree.');
  return warning(
    'this machine',
    `The clock of the server is ${Math.abs(skew)} seconds ${skew > 0 ? 'ahead of' : 'behind'} the clock of this machine. ` +
      'Tokens may be refused as expired or not yet valid.',
    'Set the clock that is wrong, here or there: timedatectl set-ntp true',
  );
}
