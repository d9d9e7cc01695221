import { expect } from 'vitest';
import { requestContext, send, taskIn } from '../../../operations/testing/start-test-operations.ts';
import { livingProcesses, recordedMarks } from '../../child-process/testing/living-processes.ts';
import type { CliCommand, CliProfile } from '../profile.ts';
import { fakeProfile, type TestCliAgent } from './start-cli-agent.ts';

/** Do not wait for the task. */
export const IMMEDIATELY = { configuration: { returnImmediately: true } };

/** Starts a task, and returns its id and the marks of its processes once one is running. */
export async function beginProgram(
  { operations, processFolder }: TestCliAgent,
  text: string,
): Promise<{ id: string; marks: string[] }> {
  const { id } = taskIn(await operations.sendMessage(send(text, {}, IMMEDIATELY), requestContext()));
  await expect.poll(async () => livingProcesses(await recordedMarks(processFolder))).not.toEqual([]);
  return { id, marks: await recordedMarks(processFolder) };
}

/** The status of a task that failed with that text. */
export function failure(text: string | RegExp): object {
  const said: unknown = typeof text === 'string' ? text : expect.stringMatching(text);
  return { state: 'TASK_STATE_FAILED', message: { parts: [{ text: said }] } };
}

/** A profile that runs one command whatever the message says. */
export function commandProfile(file: string, ...words: string[]): CliProfile {
  return { ...fakeProfile(), command: (): CliCommand => ({ file, arguments: words }) };
}
