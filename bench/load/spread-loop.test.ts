import { expect, it } from 'vitest';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { forExchanges } from './closed-loop.ts';
import { RequestTemplate } from './request-template.ts';
import { spreadLoop } from './spread-loop.ts';

async function serve() {
  let sockets = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  }).on('connection', () => (sockets += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    sockets: () => sockets,
    [Symbol.dispose]: () => void server.close(),
  };
}

it('gives every server the same share of the connections and sums their results', async () => {
  using one = await serve();
  using other = await serve();
  const hosts: string[] = [];
  const { latencies, perSecond } = await spreadLoop({
    urls: [one.url, other.url],
    connections: 6,
    shouldContinue: forExchanges(60),
    exchange: (url) => async (connection) => {
      const request = new RequestTemplate(url, { method: 'Any', params: {} }).next().bytes;
      await connection.exchange(request, { body: () => {}, end: () => hosts.push(url.host) });
      return 1;
    },
  });
  expect([one.sockets(), other.sockets()]).toEqual([3, 3]);
  expect(new Set(hosts)).toEqual(new Set([one.url.host, other.url.host]));
  expect(latencies).toHaveLength(60);
  expect(latencies).toEqual(latencies.toSorted());
  expect(perSecond).toBeGreaterThan(0);
});
