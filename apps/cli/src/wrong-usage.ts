/** The command line was not understood, or cannot be done as it stands. Its message says what to give instead. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
