export { startWebServer, type WebServer } from './start-web-server.ts';
