import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostRoute } from '../host/host.ts';
import { ScriptedHost, type TurnScript } from './scripted-host.ts';

/** A scripted host that serves routes like a gateway: on a real HTTP server, with one owner per path. */
export class RoutedHost extends ScriptedHost {
  readonly #routes = new Set<HostRoute>();
  readonly #server: Server;

  private constructor(script: TurnScript) {
    super(script);
    this.#server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*$/, '');
      const route = [...this.#routes].find((each) => matches(each, path));
      if (route === undefined) response.writeHead(404).end('nothing here');
      else void route.handle(request, response);
    });
  }

  static async start(script: TurnScript): Promise<RoutedHost> {
    const host = new RoutedHost(script);
    await new Promise<void>((resolve) => host.#server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  override registerRoute(route: HostRoute): () => void {
    if ([...this.#routes].some(({ path }) => path === route.path)) {
      throw new Error(`http route already registered: ${route.path}`);
    }
    this.#routes.add(route);
    return () => this.#routes.delete(route);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function matches({ path, match }: HostRoute, asked: string): boolean {
  return asked === path || (match === 'prefix' && asked.startsWith(`${path}/`));
}
