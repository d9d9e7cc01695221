export { hubCallers, type CallerHeaders, type HubAnswer, type HubCallers } from './hub-callers.ts';
