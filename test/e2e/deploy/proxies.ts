import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverTarget } from '../../support/drivers/driver.ts';

const deploy = join(import.meta.dirname, '..', '..', '..', 'deploy');

/** Ports of a proxy: one for HTTP/1.1, one for HTTP/2. They may be the same. */
export interface ProxyPorts {
  readonly http: number;
  readonly grpc: number;
}

/** A reverse proxy with the configuration from the documentation. */
export interface Proxy {
  readonly name: string;
  /** Whether it accepts both versions of HTTP on one port. */
  readonly hasOnePort?: boolean;
  /** The command that runs it in the foreground with this configuration. */
  command(folder: string, configFile: string): string[];
  /** Prints its version and exits with 0 if the program is installed. */
  readonly probe: readonly string[];
  /** The published configuration, with other addresses and without certificates. */
  configuration(folder: string, ports: ProxyPorts, replicas: readonly DriverTarget[]): Promise<string>;
}

export const nginx = nginxWith('nginx', 'nginx/holdword.conf', (site, ports) =>
  site
    // Without certificates, nginx needs a separate port for HTTP/2.
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${ports.http}; listen 127.0.0.1:${ports.grpc} http2;`)
    .replaceAll(/^ *ssl_.*$/gm, ''),
);

export const nginxOfCompose = nginxWith('nginx of compose.yaml', 'docker/nginx.conf', (site, ports) =>
  site
    .replace('listen 8080;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 8081 http2;', `listen 127.0.0.1:${ports.grpc} http2;`)
    .replaceAll(/^ *server holdword-2:.*$/gm, ''),
);

function nginxWith(
  name: string,
  file: string,
  withPorts: (site: string, ports: ProxyPorts) => string,
): Proxy {
  return {
    name,
    probe: ['nginx', '-v'],
    command: (folder, configFile) => ['nginx', '-p', folder, '-c', configFile, '-e', 'stderr'],
    async configuration(folder, ports, replicas) {
      const site = withPorts(await readFile(join(deploy, file), 'utf8'), ports)
        .replace(/server \S+:4310\b(.*)/, servers(replicas.map(httpAddress)))
        .replace(/server \S+:4311\b(.*)/, servers(replicas.map(({ grpcAddress }) => grpcAddress)));
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
        .join(' ');
      return `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths} ${site} }`;
    },
  };
}

export const caddy: Proxy = {
  name: 'Caddy',
  hasOnePort: true,
  probe: ['caddy', 'version'],
  command: (_folder, configFile) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', configFile],
  async configuration(_folder, { http }, replicas) {
    const published = await readFile(join(deploy, 'caddy', 'Caddyfile'), 'utf8');
    const site = published
      // Whole ports: the port of a replica may start with the same digits.
      .replace('agent.example.org {', `http://127.0.0.1:${http} {`)
      .replace(
        /h2c:\/\/127\.0\.0\.1:4311\b/,
        replicas.map(({ grpcAddress }) => `h2c://${grpcAddress}`).join(' '),
      )
      .replace(/127\.0\.0\.1:4310\b/, replicas.map(httpAddress).join(' '));
    return `{\n\tadmin off\n\tservers {\n\t\tprotocols h1 h2c\n\t}\n}\n${site}`;
  },
};

function servers(addresses: readonly string[]): string {
  return addresses.map((address) => `server ${address}$1`).join('\n');
}

function httpAddress({ baseUrl }: DriverTarget): string {
  return new URL(baseUrl).host;
}
