import { createHash } from 'node:crypto';

/** The credential of all clients in these campaigns. */
export const PEER_KEY = 'key-of-the-peer-in-the-campaign';
/** Its form in the configuration. */
export const PEER_KEY_SHA256 = createHash('sha256').update(PEER_KEY).digest('hex');
