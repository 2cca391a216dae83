/** What metrics need of a contract: the values of the labels `contract` and `type`. */
export interface LabelledContract {
  readonly name: string;
  readonly eventTypes: readonly { readonly name: string }[];
}

/** The one value for event types that no contract has: what producers write never becomes a label. */
export const OTHER_TYPE = 'other';

/** How an event came in. */
export const INTAKE_WAYS = ['http', 'kafka'] as const;
export type IntakeWay = (typeof INTAKE_WAYS)[number];
