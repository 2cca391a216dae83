import { readCommandLine } from './command-line.js';
import type { Command, CommandGroup } from './command.js';
import { COMMANDS } from './command-table.js';

const WIDTH = 100;

/** `docs/reference/cli.md`: the help of every command, as it is printed. */
export async function cliReference(): Promise<string> {
  const parts = await Promise.all(COMMANDS.flatMap(pathsOf).map(partOf));
  return `<!-- Generated from apps/cli. Run the tests with UPDATE_GENERATED=1 to write it again. -->

# The command line

\`npx entrega …\` in a checkout that \`npm start\` or \`npm run build\` compiled. Data goes to standard output and
everything else to standard error, so that \`--json\` can be piped. Times are UTC; an option that takes one takes ISO 8601
or a duration back from now (\`--since 2h\`). What receivers and producers wrote is shown with its control characters
escaped. Colours are for terminals, and off with \`NO_COLOR\`.

\`\`\`
${await helpOf([])}
\`\`\`
${parts.join('')}`;
}

function pathsOf(entry: Command | CommandGroup): string[][] {
  return 'commands' in entry ? entry.commands.map(({ name }) => [entry.name, name]) : [[entry.name]];
}

async function partOf(path: readonly string[]): Promise<string> {
  return `\n## ${path.join(' ')}\n\n\`\`\`\n${await helpOf(path)}\n\`\`\`\n`;
}

async function helpOf(path: readonly string[]): Promise<string> {
  const help = await readCommandLine([...path, '--help'], WIDTH);
  if (help.kind !== 'text') throw new Error(`entrega ${path.join(' ')} has no help.`);
  return help.text;
}
