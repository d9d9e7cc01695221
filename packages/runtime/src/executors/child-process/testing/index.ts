export { FAKE_CLI } from './fake-cli.ts';
export { livingProcesses, recordedMarks } from './living-processes.ts';
