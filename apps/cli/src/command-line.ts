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

/** Ours instead of those of yargs, which name no option as it is typed, and of places only their number. */
const TOO_FEW_WORDS = 'Too few words.';
const WORDINGS = {
  'Not enough non-option arguments: got %s, need at least %s': { one: TOO_FEW_WORDS, other: TOO_FEW_WORDS },
  'Missing required argument: %s': { one: '--%s is missing.', other: 'Options are missing: %s.' },
  'Not enough arguments following: %s': '--%s needs a value.',
};

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
  let words: readonly string[] = [];
  await parser.parseAsync(args as string[], {}, (error, argv, output) => {
    text = output;
    wrong = error?.message;
    words = ((argv as { _?: unknown[] })._ ?? []).map(String);
  });
  if (wrong !== undefined) return refusalOf(wrong, words);
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
    .updateStrings(WORDINGS as never)
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
      const own = [...Object.keys(command.options ?? {}), ...(command.asks ? ['yes'] : [])];
      if (own.length > 0) builder.group(own, 'Options:');
      if (command.asks) builder.option('yes', { type: 'boolean', describe: 'Do it without being asked' });
      builder.usage(`$0 ${[path, ...places.map(([name]) => `<${name}>`)].join(' ')}\n\n${command.about}`);
      for (const [line, says] of command.examples) builder.example(`$0 ${line}`, says);
      return builder;
    },
    (args) => choose(command, args as unknown as Arguments),
  );
}

/** @param words that stood for commands, in their order */
function refusalOf(message: string, [first, second]: readonly string[]): Request {
  const entry = COMMANDS.find(({ name }) => name === first);
  if (entry === undefined) {
    const unknown = first !== undefined && first !== 'completion';
    const help = `${NAME} --help`;
    return { kind: 'wrong', message: unknown ? noCommand(first, 'entrega', COMMANDS) : message, help };
  }
  const inner = 'commands' in entry ? entry.commands.find(({ name }) => name === second) : entry;
  if (inner === undefined) {
    const { name, commands } = entry as CommandGroup;
    const said = second === undefined ? message : noCommand(second, name, commands);
    return { kind: 'wrong', message: said, help: `${NAME} ${name} --help` };
  }
  const path = [NAME, entry.name, ...(inner === entry ? [] : [inner.name])].join(' ');
  const places = Object.keys(inner.places ?? {}).map((name) => `<${name}>`);
  return {
    kind: 'wrong',
    message: message.startsWith(TOO_FEW_WORDS) ? `It takes more: ${path} ${places.join(' ')}` : message,
    help: `${path} --help`,
  };
}

function noCommand(word: string, of: string, commands: readonly { readonly name: string }[]): string {
  const names = commands.map(({ name }) => name).join(', ');
  return `${JSON.stringify(word)} is no command of ${of}. There are ${names}.`;
}
