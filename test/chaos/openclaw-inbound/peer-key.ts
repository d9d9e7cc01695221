/** The credential of everybody in these campaigns. */
export const PEER_KEY = 'key-of-the-peer-in-the-campaign';
