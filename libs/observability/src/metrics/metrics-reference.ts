import type { Registry } from 'prom-client';

/** A metric as its registry has it. */
export interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** What is ours in a registry, without what prom-client tells of every Node process. */
export function describeMetrics(registry: Registry): DescribedMetric[] {
  return (registry.getMetricsAsArray() as unknown as DescribedMetric[])
    .filter(({ name }) => name.startsWith('entrega_'))
    .map(({ name, help, type, labelNames }) => ({ name, help, type, labelNames }));
}

/** `docs/reference/metrics.md`, from a registry of each role. */
export function metricsReference(registries: Readonly<Record<string, Registry>>): string {
  const described = new Map<string, { readonly metric: DescribedMetric; readonly roles: string[] }>();
  for (const [role, registry] of Object.entries(registries)) {
    for (const metric of describeMetrics(registry)) {
      const known = described.get(metric.name);
      if (known) known.roles.push(role);
      else described.set(metric.name, { metric, roles: [role] });
    }
  }
  const rows = [...described.values()]
    .sort((a, b) => a.metric.name.localeCompare(b.metric.name, 'en'))
    .map(({ metric: { name, help, type, labelNames }, roles }) => {
      const labels = labelNames.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${labels} | ${roles.join(', ')} | ${help} |`;
    });
  return `<!-- Generated from libs/observability. Run the tests with UPDATE_GENERATED=1 to write it again. -->

# Metrics

\`GET /metrics\` answers in the text format of Prometheus, on \`OPS_PORT\` where that is set. Every process tells of
itself alone: scrape each. Counters stand at 0 from the start for every combination of labels that is known then, and
labels are closed sets: never an application or an endpoint, and event types that no contract has are \`other\`.
Beside these there is what prom-client tells of every Node process, under its usual names (\`process_cpu_seconds_total\`,
\`nodejs_eventloop_lag_p99_seconds\` …). The all-in-one process has what concerns Kafka only where it uses it.

| metric | type | labels | roles | what it is |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
