import type { RunAction } from './action.ts';
import { sendToOne } from './send-to-one.ts';
import { sendToSeveral } from './send-to-several.ts';

/** Gives an agent a message, or several agents the same one. */
export const send: RunAction = (action, services) => {
  const { target_aliases: aliases } = action.request;
  return aliases === undefined ? sendToOne(action, services) : sendToSeveral(aliases, action, services);
};
