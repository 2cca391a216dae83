import { runAdmin } from './run-admin.js';

await runAdmin();
