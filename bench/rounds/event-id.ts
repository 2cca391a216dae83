/*
 * Events of the bench carry their round and their place in it: both ends of the pipeline note times by that number.
 * All ids have one length, so that a request is made ahead and only its ids are written into it.
 */
const PLACES_IN_ROUND = 8;

/** Stands in a request body where an id belongs. */
export const EVENT_ID_PLACEHOLDER = 'b0000-00000000';

/** @param round 0 to 9999 */
export function eventId(round: number, place: number): string {
  return `b${String(round).padStart(4, '0')}-${String(place).padStart(PLACES_IN_ROUND, '0')}`;
}
