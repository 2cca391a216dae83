/**
 * What the console's page may do: scripts, styles and calls of its own origin, and nothing written into the page
 * itself. An injected tag would neither run nor send anything anywhere.
 */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'connect', 'img', 'font'].map((kind) => `${kind}-src 'self'`),
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
