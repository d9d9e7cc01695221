export { hubClient, type CallerHeaders, type HubAnswer, type HubClient } from './hub-client.ts';
