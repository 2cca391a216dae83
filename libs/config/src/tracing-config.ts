import type { SettingFault } from './read-settings.js';
import type { SettingName, SettingValue } from './settings.js';

/** Where spans go, and which of them. */
export interface TracingConfig {
  /** The whole URL that batches of spans are sent to. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of one export. */
  readonly timeoutMs: number;
  /** Null: named after the process's role. */
  readonly serviceName: string | null;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly sampler: {
    /** Of traces that begin here, or of all where the parent is not asked. */
    readonly share: number;
    readonly asksParent: boolean;
  };
  readonly batch: {
    readonly delayMs: number;
    readonly exportTimeoutMs: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
  };
}

export const TRACING_SETTINGS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_EXPORT_TIMEOUT',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
] as const satisfies readonly SettingName[];

export interface TracingSettingValues {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_PROTOCOL: string;
  readonly OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>> | null;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
  readonly OTEL_SDK_DISABLED: boolean;
  readonly OTEL_TRACES_EXPORTER: SettingValue<'OTEL_TRACES_EXPORTER'>;
  readonly OTEL_SERVICE_NAME: string | null;
  readonly OTEL_RESOURCE_ATTRIBUTES: Readonly<Record<string, string>> | null;
  readonly OTEL_TRACES_SAMPLER: SettingValue<'OTEL_TRACES_SAMPLER'>;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
  readonly OTEL_BSP_SCHEDULE_DELAY: number;
  readonly OTEL_BSP_EXPORT_TIMEOUT: number;
  readonly OTEL_BSP_MAX_QUEUE_SIZE: number;
  readonly OTEL_BSP_MAX_EXPORT_BATCH_SIZE: number;
}

/** Null where no spans are to be exported, and so none are made. */
export function tracingOf(settings: TracingSettingValues): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact } = settings;
  const url = exact ?? (base && `${base.replace(/\/$/, '')}/v1/traces`);
  if (url === null || settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === 'none') return null;
  return Object.freeze({
    url,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMs: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
    serviceName: settings.OTEL_SERVICE_NAME,
    resourceAttributes: settings.OTEL_RESOURCE_ATTRIBUTES ?? {},
    sampler: Object.freeze(samplerOf(settings)),
    batch: Object.freeze({
      delayMs: settings.OTEL_BSP_SCHEDULE_DELAY,
      exportTimeoutMs: settings.OTEL_BSP_EXPORT_TIMEOUT,
      maxQueueSize: settings.OTEL_BSP_MAX_QUEUE_SIZE,
      maxExportBatchSize: settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    }),
  });
}

/** Settings of tracing that contradict each other, where spans are exported at all. */
export function tracingFaults(settings: TracingSettingValues): SettingFault[] {
  if (tracingOf(settings) === null) return [];
  const faults: SettingFault[] = [];
  if (settings.OTEL_EXPORTER_OTLP_PROTOCOL !== 'http/protobuf') {
    faults.push({
      name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
      message: 'Spans are sent as http/protobuf only. Set that, and the port of it (4318), or remove it.',
    });
  }
  const { OTEL_BSP_MAX_QUEUE_SIZE: queue, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: batch } = settings;
  if (batch > queue) {
    faults.push({
      name: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
      message: `${batch} is more than OTEL_BSP_MAX_QUEUE_SIZE (${queue}). Set no more than that.`,
    });
  }
  return faults;
}

function samplerOf(settings: TracingSettingValues): TracingConfig['sampler'] {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  const asksParent = name.startsWith('parentbased_');
  if (name.endsWith('always_on')) return { share: 1, asksParent };
  return { share: name.endsWith('always_off') ? 0 : ratio, asksParent };
}
