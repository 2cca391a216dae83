import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The time of now, which moves on by itself. Milliseconds. */
export function useNow(everyMs = SECOND_MS): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A length of time in its one or two largest units: `14 min`, `2 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  const [large, largeMs, small, smallMs] =
    ms < DAY_MS ? ['h', HOUR_MS, 'min', MINUTE_MS] : ['d', DAY_MS, 'h', HOUR_MS];
  const rest = Math.floor((ms % Number(largeMs)) / Number(smallMs));
  return `${Math.floor(ms / Number(largeMs))} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** How old something is, in whole seconds at least: less would only flicker. */
export function ageText(ageMs: number): string {
  return ageMs < 10 * SECOND_MS ? `${Math.max(0, Math.floor(ageMs / SECOND_MS))} s` : durationText(ageMs);
}

/** Made once for a language: they are costly, and a list writes a thousand times. */
function formatsOf(language: string) {
  return {
    clock: new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hour12: false }),
    day: new Intl.DateTimeFormat(language, { dateStyle: 'short' }),
    moment: new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium', hour12: false }),
    whole: new Intl.NumberFormat(language, { maximumFractionDigits: 0 }),
    tenths: new Intl.NumberFormat(language, { maximumFractionDigits: 1 }),
    percent: new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }),
  };
}
const formats = new Map<string, ReturnType<typeof formatsOf>>();

/** How times and numbers are written in the language of now. */
export function useFormat() {
  const { language } = useTranslation().i18n;
  const known = formats.get(language) ?? formatsOf(language);
  formats.set(language, known);
  return {
    number: (value: number) => known.whole.format(value),
    rate: (perSecond: number) => `${known.tenths.format(perSecond)}/s`,
    percent: (share: number) => known.percent.format(share),
    /** `02:10`, with the day where it is not today's. */
    clock: (at: string | Date) => {
      const time = new Date(at);
      const today = known.day.format(new Date()) === known.day.format(time);
      return today ? known.clock.format(time) : `${known.day.format(time)} ${known.clock.format(time)}`;
    },
    moment: (at: string | Date) => known.moment.format(new Date(at)),
  };
}

/** A time as people read it, exact on a closer look. */
export function Moment({ at }: { at: string | null }) {
  const { moment } = useFormat();
  if (at === null) return <span className="quiet">–</span>;
  return (
    <time dateTime={at} title={at}>
      {moment(at)}
    </time>
  );
}
