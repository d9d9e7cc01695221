import type { Action } from '../request/request.ts';
import type { ActionHandler } from './action.ts';
import { cancel } from './cancel.ts';
import { listTargets } from './list-targets.ts';
import { send } from './send.ts';
import { status } from './status.ts';
import { watch } from './watch.ts';

export const ACTION_HANDLERS: Readonly<Record<Action, ActionHandler>> = {
  list_targets: listTargets,
  send,
  watch,
  status,
  cancel,
};
