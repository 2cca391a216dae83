/** How an attempt ended, as short as it can be said: the status, or why none came. */
export function endingOf(httpStatus: number | null, errorCode: string | null): string {
  return httpStatus === null ? (errorCode ?? '–') : String(httpStatus);
}
