/** A start that cannot go on. The message says what is wrong and what to do; a stack would add nothing. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
