export { HoldwordProcess, type HoldwordProcessOptions } from './holdword-process.ts';
