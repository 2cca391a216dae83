import type { ReactNode } from 'react';
import type { Tone } from './tone.js';

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge tone-${tone}`}>{children}</span>;
}
