import { GatewayChat } from './gateway-chat.ts';
import type { OpenClawHome } from './openclaw-home.ts';

/** The first turn after a start opens databases, and may time out on a busy machine. */
export async function warmUp(home: OpenClawHome): Promise<void> {
  const chat = await GatewayChat.open(home);
  for (let attempts = 5; attempts > 0; attempts -= 1) {
    const { ended } = await chat.say('Are you there?');
    if ((await ended) === 'final') break;
  }
  chat.close();
}
