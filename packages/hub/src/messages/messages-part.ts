import type { HubContext, HubPart } from '../hub-part.ts';
import { messageSend } from './message-send.ts';
import { tasksCancel } from './tasks-cancel.ts';
import { tasksGet } from './tasks-get.ts';

/** Methods for messages and their tasks; `parts` add fields to the answers. */
export function messagesPart(context: HubContext, parts: readonly HubPart[]): HubPart {
  return { methods: [messageSend(context, parts), tasksGet(context, parts), tasksCancel(context)] };
}
