import { FAKE_CLI } from '@holdword/runtime/testing/child-process';

export const FAKE_ANSWER = 'done';

/** A program that is as short as one can be, so that what is added to it shows. */
export const FAKE_COMMAND: readonly string[] = ['/bin/sh', FAKE_CLI, 'say', FAKE_ANSWER];
