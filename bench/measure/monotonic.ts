/**
 * Milliseconds of the system's monotonic clock, which all processes of one machine share on Linux: what one process
 * noted can be subtracted from what another one did.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
