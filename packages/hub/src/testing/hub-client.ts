import type { JsonObject } from '@holdword/protocol';

export type CallerHeaders = Record<string, string>;

/** An HTTP response with a JSON body. */
export interface HubAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

/** A minimal HTTP client for a hub. */
export interface HubClient {
  /** Sends any body to `/v1/a2a`. */
  post(body: string, headers?: CallerHeaders): Promise<HubAnswer>;
  /** Calls a method at `/v1/a2a`. */
  rpc(method: string, params: JsonObject, headers?: CallerHeaders): Promise<HubAnswer>;
  get(path: string, headers?: CallerHeaders): Promise<HubAnswer>;
}

/** Creates a client for the hub at a base URL. */
export function hubClient(url: string): HubClient {
  const post: HubClient['post'] = (body, headers) =>
    send(`${url}/v1/a2a`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  return {
    post,
    rpc: (method, params, headers) =>
      post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers),
    get: (path, headers = {}) => send(`${url}${path}`, { headers }),
  };
}

async function send(url: string, init: RequestInit): Promise<HubAnswer> {
  const response = await fetch(url, init);
  const body: JsonObject = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body };
}
