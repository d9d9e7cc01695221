import { describeStore } from '../testing/describe-store.ts';
import { openMemoryStore } from './open-memory-store.ts';

describeStore('memory', async () => ({ store: openMemoryStore() }), { isDurable: false });
