import { useSyncExternalStore } from 'react';
import type { Tally } from '../dead-letters/redelivery-tally.js';

/** A redelivery that was started in this tab. */
export interface WatchedReplay {
  readonly id: string;
  /** Whose attempts are followed. */
  readonly endpoint: string | undefined;
  readonly application: string | undefined;
  /** To whom, in words. */
  readonly to: string;
  readonly tally: Tally;
  /** Set once it was stopped from here because so many failed in a row. */
  readonly stoppedAfterFailures: boolean;
}

/** In the tab: a reload goes on counting where it was. */
const STORED = 'entrega.replays';

let watched: readonly WatchedReplay[] = stored();
const listeners = new Set<() => void>();

function stored(): readonly WatchedReplay[] {
  return JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as WatchedReplay[];
}

function change(next: readonly WatchedReplay[]): void {
  watched = next;
  sessionStorage.setItem(STORED, JSON.stringify(next));
  for (const listener of listeners) listener();
}

export function watchReplay(replay: WatchedReplay): void {
  change([...watched, replay]);
}

export function updateWatched(id: string, update: (replay: WatchedReplay) => WatchedReplay): void {
  change(watched.map((replay) => (replay.id === id ? update(replay) : replay)));
}

export function forgetWatched(id: string): void {
  change(watched.filter((replay) => replay.id !== id));
}

/** For the next key of the tab. */
export function forgetAllWatched(): void {
  change([]);
}

/** Undefined once it was put away. */
export function watchedReplay(id: string): WatchedReplay | undefined {
  return watched.find((replay) => replay.id === id);
}

export function useWatchedReplays(): readonly WatchedReplay[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => watched,
  );
}
