import type { Output } from './output.js';

type Style = Parameters<Output['styled']>[0];

/** By what somebody has to do: nothing, wait, or look. States that are not known yet stay as they are. */
const STYLES: Readonly<Record<string, Style>> = {
  delivered: 'green',
  active: 'green',
  success: 'green',
  done: 'green',
  pending: 'yellow',
  running: 'yellow',
  paused: 'yellow',
  suppressed: 'yellow',
  dead: 'red',
  closed: 'red',
  disabled: 'red',
  failed: 'red',
};

/** For a column that shows states. */
export function stateStyle(output: Output): (text: string) => string {
  return (text) => {
    const style = STYLES[text.trim()];
    return style === undefined ? text : output.styled(style, text);
  };
}
