export { withdrawPostgres as default } from './test-postgres.mjs';
