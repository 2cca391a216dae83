/** Where the steps of a start tell what they do: a logger, or the terminal. */
export interface StartLog {
  info(message: string): void;
  warn(message: string): void;
}
