import { Connection } from './connection.ts';

/** Connections that stay open until they are disposed together. */
export interface OpenConnections extends Disposable {
  readonly open: readonly Connection[];
}

export async function openConnections(url: URL, count: number): Promise<OpenConnections> {
  using stack = new DisposableStack();
  const open: Connection[] = [];
  for (let index = 0; index < count; index += 1) open.push(stack.use(await Connection.open(url)));
  const owned = stack.move();
  return { open, [Symbol.dispose]: () => owned.dispose() };
}
