/*
 * Two things that Jest's own report lacks: the counts as one plain line that any CI reads, and an end to a
 * run that leaked a handle. Jest waits for such a handle for ever; here it is a failure that names the kind.
 */
const PATIENCE_MS = 15_000;

export default class SummaryReporter {
  /**
   * @param {unknown} _testContexts
   * @param {import('@jest/reporters').AggregatedResult} results
   */
  onRunComplete(_testContexts, results) {
    const passed = results.numPassedTests;
    // A file that could not even be loaded counts no test, and must still show as a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.once('exit', () => console.log(`\n${counts}`));

    // Unreferenced: fires only when something else keeps the process alive.
    setTimeout(() => {
      console.error(
        `The tests are over, and still open are: ${process.getActiveResourcesInfo().join(', ')}.`,
      );
      process.exit(1);
    }, PATIENCE_MS).unref();
  }
}
