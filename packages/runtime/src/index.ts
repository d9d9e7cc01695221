export * from './agent-description.ts';
export * from './executors/executor.ts';
export { RetryableError, TerminalError } from './executors/executor-errors.ts';
