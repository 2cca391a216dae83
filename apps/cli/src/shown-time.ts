const UNITS = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3_600 },
  { unit: 'm', seconds: 60 },
  { unit: 's', seconds: 1 },
] as const;

/** A time of the API to the second, in the form that `--since` takes: `2026-01-31T12:00:01Z`. */
export function shownTime(time: string | null): string {
  return time === null ? '-' : time.replace(/\.\d+Z$/, 'Z');
}

/** The same, with how far it is from now: `2026-01-31T12:00:01Z (in 4m 12s)`. */
export function shownTimeFromNow(time: string | null): string {
  if (time === null) return '-';
  const seconds = Math.round((Date.parse(time) - Date.now()) / 1_000);
  if (seconds === 0) return `${shownTime(time)} (now)`;
  return `${shownTime(time)} (${seconds > 0 ? `in ${spanOf(seconds)}` : `${spanOf(-seconds)} ago`})`;
}

/** The two largest units of it: `2d 3h`. */
function spanOf(seconds: number): string {
  const largest = UNITS.findIndex((unit) => seconds >= unit.seconds);
  let rest = seconds;
  return UNITS.slice(largest, largest + 2)
    .flatMap(({ unit, seconds: size }) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return count === 0 ? [] : [`${count}${unit}`];
    })
    .join(' ');
}
