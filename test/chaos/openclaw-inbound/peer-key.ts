import { createHash } from 'node:crypto';

/** The credential of everybody in these campaigns. */
export const PEER_KEY = 'key-of-the-peer-in-the-campaign';
/** What stands for it in the configuration. */
export const PEER_KEY_SHA256 = createHash('sha256').update(PEER_KEY).digest('hex');
