import { InMemoryTaskStore } from '@a2a-js/sdk/server';
import { serveSdk } from './sdk-server.ts';

await serveSdk(new InMemoryTaskStore());
