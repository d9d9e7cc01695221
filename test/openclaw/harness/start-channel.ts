import type { OpenClawHome } from './openclaw-home.ts';
import { runOpenClaw } from './run-openclaw.ts';

/** Starts a channel as an operator does: after a few crashes in a row, the gateway does not start channels. */
export async function startChannel(home: OpenClawHome, channel: string): Promise<void> {
  const params = JSON.stringify({ channel });
  const { code, stdout, stderr } = await runOpenClaw(
    home,
    'gateway',
    'call',
    'channels.start',
    '--params',
    params,
  );
  if (code !== 0) throw new Error(`The channel ${channel} was not started:\n${stdout}${stderr}`);
}
