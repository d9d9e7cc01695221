import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { send, urlOf } from '../testing/talk.ts';

async function signIn(url: string, printed: string): Promise<Response> {
  const link = /#link=([\w-]{43})/.exec(printed)?.[1];
  return fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ link }),
  });
}

test(
  'the printed link signs in once, its session survives a restart, and the command prints another link',
  { timeout: 180_000 },
  async () => {
    const folder = await makeHoldwordFolder();
    const first = folder.serve();
    const url = await urlOf(first);
    await first.printed(/#link=[\w-]{43}/);
    const session = await signIn(url, first.output());
    expect(session.status).toBe(200);
    expect((await signIn(url, first.output())).status).toBe(401);
    const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const { port } = new URL(url);
    const printed = await folder.run('console', 'link', '--port', port);
    expect(printed.stdout).toMatch(new RegExp(`^http://127.0.0.1:${port}/console/#link=[\\w-]{43}\n$`));
    expect((await signIn(url, printed.stdout)).status).toBe(200);

    const sent = await send(url, 'echo hello');
    const { task } = (await sent.json()) as { task: { id: string } };
    const recording = await fetch(`${url}/console/api/tasks/${task.id}/export`, { headers: { cookie } });
    const lines = (await recording.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.at(0)).toMatchObject({ task: { id: task.id } });
    expect(lines.at(-1)).toMatchObject({ end: { events: lines.length - 2 } });

    await first.kill();
    const second = folder.start('serve', '--port', port, '--grpc-port', 'off');
    await urlOf(second);
    const tasks = await fetch(`${url}/console/api/tasks`, { headers: { cookie } });
    expect(tasks.status).toBe(200);
  },
);

test(
  'a server with keys prints no link, and one without a console has none',
  { timeout: 120_000 },
  async () => {
    const folder = await makeHoldwordFolder();
    await folder.run('keys', 'add', 'ops', '--role', 'operator');
    const closed = folder.serve();
    await urlOf(closed);
    await closed.printed(/Press Ctrl-C/);
    expect(closed.output()).toContain('/console/');
    expect(closed.output()).not.toContain('#link=');
    const other = await makeHoldwordFolder();
    const off = other.serve('--no-console');
    const url = await urlOf(off);
    await off.printed(/Press Ctrl-C/);
    expect(off.output()).not.toContain('console');
    expect((await fetch(`${url}/console/`)).status).toBe(404);
  },
);
