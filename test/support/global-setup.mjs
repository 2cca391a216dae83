export { offerPostgres as default } from './test-postgres.mjs';
