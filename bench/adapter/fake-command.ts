import { FAKE_CLI } from '@holdword/runtime/testing/child-process';

export const FAKE_ANSWER = 'done';

/** The shortest possible program, so that the overhead is visible. */
export const FAKE_COMMAND: readonly string[] = ['/bin/sh', FAKE_CLI, 'say', FAKE_ANSWER];
