import type { ActionHandler } from './action.ts';
import { sendToOne } from './send-to-one.ts';
import { sendToSeveral } from './send-to-several.ts';

/** Sends a message to one agent or to several. */
export const send: ActionHandler = (action, services) => {
  const { target_aliases: aliases } = action.request;
  return aliases === undefined ? sendToOne(action, services) : sendToSeveral(aliases, action, services);
};
