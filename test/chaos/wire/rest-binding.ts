import type { JsonObject } from '@holdword/protocol';
import { WireError } from '../../support/drivers/wire-error.ts';
import type { Binding, Operation } from './binding.ts';

export const restBinding: Binding = {
  name: 'REST',
  request: (address, operation, params) => {
    const { method, path, body } = ROUTES[operation](params);
    return {
      method,
      url: `${address}/a2a/rest${path}`,
      headers: {
        'a2a-version': '1.0',
        ...(body && { 'content-type': 'application/a2a+json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
  },
  unwrap: (text) => {
    if (text.startsWith('{"error":')) throw refusal(text);
    return text;
  },
};

interface Route {
  method: 'GET' | 'POST';
  path: string;
  body?: JsonObject;
}

const ROUTES: Readonly<Record<Operation, (params: JsonObject) => Route>> = {
  SendMessage: (body) => ({ method: 'POST', path: '/message:send', body }),
  SendStreamingMessage: (body) => ({ method: 'POST', path: '/message:stream', body }),
  GetTask: ({ id }) => ({ method: 'GET', path: `/tasks/${String(id)}` }),
  ListTasks: (query) => ({
    method: 'GET',
    path: `/tasks?${new URLSearchParams(query as Record<string, string>).toString()}`,
  }),
  CancelTask: ({ id }) => ({ method: 'POST', path: `/tasks/${String(id)}:cancel`, body: {} }),
  SubscribeToTask: ({ id }) => ({ method: 'GET', path: `/tasks/${String(id)}:subscribe` }),
};

function refusal(text: string): WireError {
  const { error } = JSON.parse(text) as { error: { code: number; message: string; details?: JsonObject[] } };
  return new WireError({ code: error.code, message: error.message, details: error.details ?? [] });
}
