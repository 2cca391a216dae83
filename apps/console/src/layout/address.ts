import { useSearchParams } from 'wouter';

/** What a screen shows beside its place: all of it stands in the address, so that a link shows the same. */
export function useAddress() {
  const [parameters, setParameters] = useSearchParams();
  return {
    get: (name: string) => parameters.get(name) ?? undefined,
    /** A comma list, as the API takes it. */
    list: (name: string) => parameters.get(name)?.split(',').filter(Boolean),
    /** Undefined takes the parameter out. Without a history entry where nothing is gone to. */
    set: (changes: Readonly<Record<string, string | undefined>>, { replace = false } = {}) =>
      setParameters(
        (known) => {
          const next = new URLSearchParams(known);
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace },
      ),
  };
}

/** A place of the console with what it shows. */
export function placeOf(path: string, shown: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(shown).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
