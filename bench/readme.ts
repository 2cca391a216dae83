/* `npm run bench:readme`: README.md shows the last full run; with `--check` the exit code says whether it does. */
import { hasPresentFigures, writeFigures } from './report/readme.js';

if (!process.argv.includes('--check')) writeFigures();
else if (!hasPresentFigures()) {
  console.error(
    'README.md does not show the figures of bench/results/latest.json. Run: npm run bench:readme',
  );
  process.exitCode = 1;
}
