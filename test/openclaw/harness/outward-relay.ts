// Inside a network namespace: passes connections to ports of its loopback on to the sockets of the same name outside.
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

const [folder = '', ...ports] = process.argv.slice(2);
for (const port of ports) {
  createServer((inside) => {
    const outside = connect(join(folder, `${port}.sock`));
    inside.pipe(outside).pipe(inside);
    inside.on('error', () => outside.destroy());
    outside.on('error', () => inside.destroy());
  }).listen(Number(port), '127.0.0.1');
}
