import type { HttpHandler } from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import { expect, onTestFinished, test } from 'vitest';
import type { AccountConfig } from '../config/account-config.ts';
import { readAccounts } from '../config/read-accounts.ts';
import { RoutedHost } from '../testing/routed-host.ts';
import { echo, sectionOf } from '../testing/serve-scripted-account.ts';
import { GatewayRoutes } from './gateway-routes.ts';

async function routesWith(handler: HttpHandler | undefined): Promise<string> {
  const host = await RoutedHost.start(echo);
  const [entry] = readAccounts(sectionOf());
  const routes = new GatewayRoutes(entry?.config as AccountConfig, host, noopLog);
  routes.answerWith(handler);
  onTestFinished(async () => {
    routes.close();
    await host.close();
  });
  return `${host.url}/a2a/jsonrpc`;
}

test('an exception in the handler becomes a generic error', async () => {
  const url = await routesWith(() => {
    throw new Error('a secret of the inside');
  });
  const response = await fetch(url);
  expect(response.status).toBe(500);
  const body = await response.text();
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'A2A_INBOUND_ROUTE_ERROR' } });
  expect(body).not.toContain('secret');
});

test('a started response is aborted if the handler throws', async () => {
  const url = await routesWith((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write('{"half":');
    throw new Error('later');
  });
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
});

test('without a handler the response has Retry-After', async () => {
  const response = await fetch(await routesWith(undefined));
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
});
