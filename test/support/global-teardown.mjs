export { withdrawServers as default } from './test-servers.mjs';
