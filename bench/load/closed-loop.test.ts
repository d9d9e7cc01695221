import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { closedLoop, forExchanges, forSeconds } from './closed-loop.ts';
import { RequestTemplate } from './request-template.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(status: number): Promise<{ url: URL; requests: () => number; sockets: () => number }> {
  let requests = 0;
  let sockets = 0;
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests += 1;
      response.writeHead(status).end('ok');
    });
  }).on('connection', () => {
    sockets += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { url: new URL(`http://127.0.0.1:${port}/`), requests: () => requests, sockets: () => sockets };
}

function run(url: URL, shouldContinue: () => boolean) {
  const template = new RequestTemplate(url, { method: 'Any', params: {} });
  return closedLoop({
    url,
    connections: 3,
    shouldContinue,
    exchange: async (connection) => {
      await connection.exchange(template.next().bytes, {
        body: () => {},
        end: (status) => {
          if (status !== 200) throw new Error(`found ${status}`);
        },
      });
      return 1;
    },
  });
}

describe('closedLoop', () => {
  it('counts every exchange once and keeps its connections', async () => {
    const { url, requests, sockets } = await serve(200);
    const { latencies, perSecond } = await run(url, forExchanges(50));
    expect(latencies).toHaveLength(50);
    expect(requests()).toBe(50);
    expect(perSecond).toBeGreaterThan(0);
    expect(latencies).toEqual(latencies.toSorted());
    expect(sockets()).toBe(3);
  });

  it('fails if a response is wrong', async () => {
    const { url } = await serve(500);
    await expect(run(url, forExchanges(1))).rejects.toThrow('found 500');
  });

  it('ends after the given time', async () => {
    const { url, requests } = await serve(200);
    const { latencies } = await run(url, forSeconds(0.05));
    expect(latencies).toHaveLength(requests());
    expect(latencies.length).toBeGreaterThanOrEqual(3);
  });
});
