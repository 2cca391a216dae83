export interface Matcher {
  readonly label: string;
  matches(value: string): boolean;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

const NO_METRICS =
  /^(?:and|or|unless|by|without|on|ignoring|group_left|group_right|bool|offset|[0-9].*|Inf|NaN)$/;

/** The series that an expression of PromQL reads, with their matchers. Enough of the language for ours. */
export function selectorsIn(expr: string): Selector[] {
  const withoutLists = expr.replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const found = withoutLists.matchAll(
    /"(?:[^"\\]|\\.)*"|\[[^\]]*\]|([\w:]+)(\s*\()?(\{(?:"(?:[^"\\]|\\.)*"|[^}"])*\})?/g,
  );
  return [...found]
    .filter(([, name, call]) => name !== undefined && call === undefined && !NO_METRICS.test(name))
    .map(([, metric, , braces = '']) => ({ metric: metric!, matchers: matchersIn(braces) }));
}

function matchersIn(braces: string): Matcher[] {
  return [...braces.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g)].map(
    ([, label, operator, quoted]) => {
      const wanted = JSON.parse(`"${quoted}"`) as string;
      const pattern = new RegExp(`^(?:${wanted})$`);
      const tests = {
        '=': (value: string) => value === wanted,
        '!=': (value: string) => value !== wanted,
        '=~': (value: string) => pattern.test(value),
        '!~': (value: string) => !pattern.test(value),
      };
      return { label: label!, matches: tests[operator as keyof typeof tests] };
    },
  );
}
