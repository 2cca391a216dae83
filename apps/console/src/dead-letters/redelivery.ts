/** What to send again: dead letters by filter, or with `delivered` all that one endpoint had since a time. */
export interface RedeliveryChoice {
  readonly application: string | undefined;
  readonly endpoint: string | undefined;
  readonly type: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** Takes what was delivered too: only of one endpoint, and since a time. */
  readonly delivered: boolean;
}

/** The call that does it. */
export type Redelivery =
  | {
      readonly path: '/v1/dead-letters/redeliver';
      readonly input: { readonly body: Readonly<Record<string, unknown>> };
    }
  | {
      readonly path: '/v1/endpoints/{id}/replay';
      readonly input: {
        readonly path: { readonly id: string };
        readonly body: Readonly<Record<string, unknown>>;
      };
    };

/** Null where the API would refuse it: without any filter, or delivered ones without endpoint and time. */
export function redeliveryOf(choice: RedeliveryChoice, ratePerSecond?: number): Redelivery | null {
  const { delivered, ...filter } = choice;
  const { endpoint, since, until } = filter;
  const rate = ratePerSecond === undefined ? {} : { ratePerSecond };
  if (delivered) {
    if (endpoint === undefined || since === undefined) return null;
    return {
      path: '/v1/endpoints/{id}/replay',
      input: {
        path: { id: endpoint },
        body: {
          since,
          ...(until !== undefined && { until }),
          states: ['dead', 'closed', 'delivered'],
          ...rate,
        },
      },
    };
  }
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (given.length === 0) return null;
  return { path: '/v1/dead-letters/redeliver', input: { body: { ...Object.fromEntries(given), ...rate } } };
}
