import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AgentEntry } from '@holdword/client';
import type { AgentCard, ProtocolBinding } from '@holdword/protocol';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BINDINGS } from '../../support/drivers/driver.ts';
import { startAgent } from '../../support/start-agent.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import type { Errand, Line } from './fixtures/send-message.ts';
import { makeCertificate } from './make-certificate.ts';
import { openSession } from './open-session.ts';
import { cardFor, portOf, startCardServer } from './start-card-server.ts';
import { startTlsProxy, type TlsProxy } from './start-tls-proxy.ts';

const HOST = 'agents.example';
const SCRIPT = join(import.meta.dirname, 'fixtures', 'send-message.ts');
const AUTHORITY = makeCertificate('authority.example');
const CERTIFICATE = makeCertificate(HOST, AUTHORITY);
const REFUSED = /the TLS handshake failed( \([A-Z_]+\))?\. It was not sent/;
const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }];

describe('over TLS', () => {
  watchForLeaks();
  let agent: TestAgent;
  let key: string;
  beforeAll(async () => {
    agent = await startAgent({ apiKeys: true });
    key = await agent.addKey('client');
  });
  afterAll(() => agent.close());

  /** The agent on one binding, with a host name and a certificate for it; its card is served without TLS. */
  async function serveWithTls(
    binding: ProtocolBinding,
    host = HOST,
  ): Promise<{ entry: AgentEntry; proxy: TlsProxy; card: AgentCard }> {
    const proxy = await startTlsProxy(portOf(agent, binding), CERTIFICATE);
    const plain = await cardFor(agent, { binding, version: '1.0' }, proxy.port);
    const card: AgentCard = {
      ...plain,
      supportedInterfaces: plain.supportedInterfaces.map((each) => ({
        ...each,
        url: each.url.replace(/^(?:http:\/\/)?127\.0\.0\.1/, binding === 'GRPC' ? host : `https://${host}`),
      })),
    };
    const entry = {
      url: await startCardServer(card),
      custom_headers: { Authorization: 'Bearer ${AGENT_KEY}' },
      trusted_origins: [`https://${host}:${proxy.port}`],
    };
    return { entry, proxy, card };
  }

  /** Sends a message from a process that trusts the certificate authority, and returns the lines it prints. */
  async function sendTrusting(errand: Errand, onLine = (_lines: number) => {}): Promise<Line[]> {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const certificates = join(folder.path, 'certificates.pem');
    await writeFile(certificates, AUTHORITY.cert);
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify(errand)], {
      env: { PATH: process.env['PATH'], AGENT_KEY: key, NODE_EXTRA_CA_CERTS: certificates },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const lines: Line[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(JSON.parse(line) as Line);
      onLine(lines.length);
    }
    return lines;
  }

  describe.each(BINDINGS)('%s', (binding) => {
    test('a client that trusts the authority sends a message and streams its task', async () => {
      const { entry, proxy } = await serveWithTls(binding);
      const gate = `tls-${binding}`;
      const errand = { entry, message: `wait ${gate}; artifact a one; complete` };
      // The first line is the task, and the second an update of it: its stream has started.
      const lines = await sendTrusting(errand, (count) => {
        if (count > 1) agent.gates.open(gate);
      });
      expect(lines).toContainEqual({ update: 'artifact-update' });
      expect(lines.slice(-2)).toEqual([{ update: 'status-update' }, { state: 'completed' }]);
      expect(new Set(proxy.serverNames)).toEqual(new Set([HOST]));
    });

    test('a certificate from an unknown authority is rejected before anything is sent', async () => {
      const { entry, proxy } = await serveWithTls(binding);
      const session = openSession(entry, {
        agents: { environment: { AGENT_KEY: key }, resolve: toLoopback },
      });
      await expect(session.sendMessage('agent', 'complete')).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringMatching(REFUSED) as string,
      });
      expect(proxy.receivedBytes()).toBe(0);
    });

    test('a certificate for another host is rejected as well', async () => {
      const { entry, proxy } = await serveWithTls(binding, 'other.example');
      expect(await sendTrusting({ entry, message: 'complete' })).toEqual([
        { refusal: { code: 'UNAVAILABLE', message: expect.stringMatching(REFUSED) as string } },
      ]);
      expect(proxy.receivedBytes()).toBe(0);
    });
  });

  test('the same holds for fetching a card', async () => {
    const { entry, card } = await serveWithTls('JSONRPC');
    const cardPort = Number(new URL(await startCardServer(card)).port);
    const trusted = await startTlsProxy(cardPort, CERTIFICATE);
    const known = { ...entry, url: `https://${HOST}:${trusted.port}/card.json` };
    const sent = await sendTrusting({ entry: known, message: 'complete' });
    expect(sent.at(-1)).toEqual({ state: 'completed' });
    expect(new Set(trusted.serverNames)).toEqual(new Set([HOST]));

    const selfSigned = await startTlsProxy(cardPort, makeCertificate(HOST));
    const unknown = { ...entry, url: `https://${HOST}:${selfSigned.port}/card.json` };
    const refused = await sendTrusting({ entry: unknown, message: 'complete' });
    const message =
      'The card of agent "agent" could not be fetched: the TLS handshake failed ' +
      '(DEPTH_ZERO_SELF_SIGNED_CERT). Check that the agent is running, then try again.';
    expect(refused).toEqual([{ refusal: { code: 'UNAVAILABLE', message } }]);
    expect(selfSigned.receivedBytes()).toBe(0);
  });
});
