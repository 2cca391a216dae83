export { offerServers as default } from './test-servers.mjs';
