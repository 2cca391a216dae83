import yargs, { type Argv } from 'yargs';
import type { Command, CommandGroup } from './command.js';
import { COMMANDS } from './command-table.js';
import { EXIT_CODE_MEANINGS, EXIT_CODES } from './exit-code.js';
import { WrongUsage } from './wrong-usage.js';

/** What a command line asks for. */
export type Request =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string; readonly help: string }
  | { readonly kind: 'run'; readonly command: Command; readonly args: Arguments };

export interface Arguments {
  readonly url?: string;
  readonly 'key-file'?: string;
  readonly json: boolean;
  readonly yes?: boolean;
}

const NAME = 'entrega';

const EPILOGUE = `Settings:
  ENTREGA_URL                    where the API is (http://127.0.0.1:8080)
  ENTREGA_KEY, ENTREGA_KEY_FILE  the API key, or the path of a file that holds it

Ends with:
${Object.entries(EXIT_CODES)
  .map(
    ([meaning, code]) =>
      `  ${String(code).padEnd(3)}  ${EXIT_CODE_MEANINGS[meaning as keyof typeof EXIT_CODES]}`,
  )
  .join('\n')}`;

/**
 * Reads a command line and runs nothing.
 *
 * @param width that help is broken at
 */
export async function readCommandLine(args: readonly string[], width: number): Promise<Request> {
  let chosen: Request | undefined;
  const choose = (command: Command, given: Arguments) => (chosen = { kind: 'run', command, args: given });
  const parser = commandLineParser(width, choose);
  let text = '';
  let wrong: string | undefined;
  await parser.parseAsync(args as string[], {}, (error, _, output) => {
    text = output;
    wrong = error?.message;
  });
  if (wrong !== undefined) return { kind: 'wrong', message: wrong, help: helpCall(args) };
  return chosen ?? { kind: 'text', text };
}

function commandLineParser(width: number, choose: (command: Command, args: Arguments) => void): Argv {
  const parser = yargs()
    .scriptName(NAME)
    .usage('$0 <command>\n\nOperates entrega over its API.')
    .option('url', {
      type: 'string',
      requiresArg: true,
      describe: 'Where the API is, instead of ENTREGA_URL',
    })
    .option('key-file', {
      type: 'string',
      requiresArg: true,
      describe: 'File that holds the API key, instead of ENTREGA_KEY',
    })
    .option('json', {
      type: 'boolean',
      default: false,
      describe: "The API's JSON instead of tables",
    })
    .completion('completion', 'Print the completion script for bash or zsh, whichever $SHELL is')
    .example('$0 deliveries list --state dead --since 2h', 'What was given up within two hours')
    .epilogue(EPILOGUE)
    .demandCommand(1, 'Which command?')
    .recommendCommands()
    .strict()
    .version(false)
    .help()
    .group(['url', 'key-file', 'json', 'help'], 'Everywhere:')
    .exitProcess(false)
    .wrap(width);
  for (const entry of COMMANDS) {
    if (!('commands' in entry)) addCommand(parser, entry, entry.name, choose);
    else addGroup(parser, entry, choose);
  }
  return parser;
}

function addGroup(
  parser: Argv,
  { name, about, commands }: CommandGroup,
  choose: (command: Command, args: Arguments) => void,
): void {
  parser.command(name, about, (group) => {
    for (const command of commands) addCommand(group, command, `${name} ${command.name}`, choose);
    return group.demandCommand(1, `Which command of ${name}?`);
  });
}

function addCommand(
  parser: Argv,
  command: Command,
  path: string,
  choose: (command: Command, args: Arguments) => void,
): void {
  const places = Object.entries(command.places ?? {});
  parser.command(
    [command.name, ...places.map(([name]) => `<${name}>`)].join(' '),
    command.about,
    (builder) => {
      for (const [name, { about, pattern, example }] of places) {
        builder.positional(name, {
          type: 'string',
          describe: about,
          coerce: (text: string) => {
            if (pattern.test(text)) return text;
            throw new WrongUsage(`${JSON.stringify(text)} is no ${name}: its id looks like ${example}.`);
          },
        });
      }
      for (const [name, option] of Object.entries(command.options ?? {})) {
        builder.option(name, option.type === 'string' ? { ...option, requiresArg: true } : option);
      }
      if (command.asks) builder.option('yes', { type: 'boolean', describe: 'Do it without being asked' });
      builder.usage(`$0 ${[path, ...places.map(([name]) => `<${name}>`)].join(' ')}\n\n${command.about}`);
      for (const [line, says] of command.examples) builder.example(`$0 ${line}`, says);
      return builder;
    },
    (args) => choose(command, args as unknown as Arguments),
  );
}

/** The call that shows how the part of the command line that was understood goes on. */
function helpCall(args: readonly string[]): string {
  const [first, second] = args;
  const entry = COMMANDS.find(({ name }) => name === first);
  if (entry === undefined) return `${NAME} --help`;
  const inner = 'commands' in entry ? entry.commands.find(({ name }) => name === second) : undefined;
  return [NAME, entry.name, ...(inner ? [inner.name] : []), '--help'].join(' ');
}
