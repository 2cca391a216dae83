/** Jest, undici and Nest need what came with this release; the npm package `node` brings it along. */
const MIN_MAJOR = 24;

const major = Number(process.versions.node.split('.')[0]);
if (major < MIN_MAJOR) {
  process.stderr.write(
    `Node ${process.versions.node} is too old: entrega runs on Node ${MIN_MAJOR}. Start it with "npm start", ` +
      `which brings its own.\n`,
  );
  process.exit(1);
}
