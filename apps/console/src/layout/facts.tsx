import type { ReactNode } from 'react';

/** What is known of a thing, name by name. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? <span className="quiet">–</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
