import type { Action } from '../request/request.ts';
import type { RunAction } from './action.ts';
import { cancel } from './cancel.ts';
import { listTargets } from './list-targets.ts';
import { send } from './send.ts';
import { status } from './status.ts';
import { watch } from './watch.ts';

export const RUN: Readonly<Record<Action, RunAction>> = {
  list_targets: listTargets,
  send,
  watch,
  status,
  cancel,
};
