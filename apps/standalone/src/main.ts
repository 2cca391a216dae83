import './node-version.js';
import { runStandalone } from './run-standalone.js';

await runStandalone();
