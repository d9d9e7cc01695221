import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CALL_OPTIONS } from '../calling/call-options.ts';
import type { Call } from '../calling/run-call.ts';
import type { CommandInput } from '../command-line/command.ts';
import { settingOptions } from '../config/describe-settings.ts';
import { UsageError } from '../usage-error.ts';
import { readRecording, verifyRecording } from '../recording/read-recording.ts';
import { agentEvents, storedEvents, type TaskEvents } from '../recording/task-events.ts';
import { withExistingStore } from './with-store.ts';

const STORE_SETTINGS = settingOptions(['data', 'store', 'storeSchema']);
const STORE_NAMES = ['data', 'store', 'store-schema'];

/** Options of commands that read a task: at an agent, or in the data of a server on this machine. */
export const TASK_SOURCE_OPTIONS = { ...CALL_OPTIONS, ...STORE_SETTINGS };

/** Whether the command line names the data of a server instead of an agent. */
export function readsData({ options }: Pick<CommandInput, 'options'>): boolean {
  return STORE_NAMES.some((name) => options[name] !== undefined);
}

/** The input with nothing but the options that name the data: `--config` means another file there. */
export function dataInput(input: CommandInput): CommandInput {
  const named = Object.entries(input.options).filter(([name]) => STORE_NAMES.includes(name));
  return { ...input, options: Object.fromEntries(named) };
}

/** Gives the events of a task to `use`: of a task at an agent, or in a data folder. */
export async function withTaskEvents<Result>(
  call: Call,
  taskId: string,
  use: (events: TaskEvents) => Promise<Result>,
): Promise<Result> {
  if (readsData(call.input)) {
    if (call.input.options['agent-card'] !== undefined) {
      throw new UsageError('-a names an agent and --data a folder: use one of them.');
    }
    return withExistingStore(dataInput(call.input), 'tasks', async (store) =>
      use(await storedEvents(store, taskId)),
    );
  }
  const agent = await call.open();
  return use(await agentEvents(agent, taskId, call.signal));
}

/** Gives the events of a file, or of a task, to `use`. A file is verified before. */
export async function withRecording<Result>(
  call: Call,
  operand: string,
  use: (events: TaskEvents) => Promise<Result>,
): Promise<Result> {
  const path = await recordingPath(call.input, operand);
  if (path === undefined) return withTaskEvents(call, operand, use);
  const { header } = await verifyRecording(path);
  return use({ header, events: readRecording(path) });
}

/** The path of the file that the operand names. Undefined if it is the id of a task. */
export async function recordingPath(
  { workingFolder }: Pick<CommandInput, 'workingFolder'>,
  operand: string,
): Promise<string | undefined> {
  const path = resolve(workingFolder, operand);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  return isFile || /[/\\]|\.jsonl$/.test(operand) ? path : undefined;
}

export function readPort(given: string | undefined, fallback: number): number {
  if (given === undefined) return fallback;
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(`--port: expected a port from 0 to 65535, found "${given.slice(0, 40)}".`);
}
