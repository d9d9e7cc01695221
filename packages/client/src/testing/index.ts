export { startPeer, type Peer, type PeerAnswer, type PeerOptions, type PeerRequest } from './start-peer.ts';
export { startWebServer, type WebServer } from './start-web-server.ts';
