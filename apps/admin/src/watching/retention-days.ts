/** For how long events are kept: RETENTION_DAYS, for what is injected. */
export class RetentionDays {
  constructor(readonly value: number) {}
}
