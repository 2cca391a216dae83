/** What a panel asks Prometheus. */
export interface Query {
  readonly expr: string;
  /** Names the series, with `{{label}}` for a label's value. */
  readonly legend: string;
}

/** Units as Grafana names them. */
export type Unit = 'short' | 's' | 'reqps' | 'percentunit' | 'bytes' | 'dateTimeFromNow' | 'bool_on_off';

export interface Panel {
  readonly title: string;
  /** What the figure means, and from when on it is bad. */
  readonly description: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** One figure of now, lines over time, or a row for each series. */
  readonly shape: 'figure' | 'lines' | 'table';
  /** From this value on it is bad, and red; below it where `isLowBad`. */
  readonly bad?: number;
  readonly isLowBad?: boolean;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Dashboard {
  /** Its address in Grafana, and the name of its file. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

/** Grafana's grid is 24 wide. */
const GRID = 24;
const HEIGHT = { figure: 4, lines: 8, table: 8 };
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
const RUNBOOKS = 'docs/runbooks/README.md';

/** The JSON that Grafana imports: panels of a row side by side, in equal widths. */
export function dashboardJson(dashboard: Dashboard): string {
  const panels: object[] = [];
  let y = 0;
  for (const { title, panels: inRow } of dashboard.rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      gridPos: { x: 0, y, w: GRID, h: 1 },
      panels: [],
    });
    y += 1;
    const width = Math.floor(GRID / inRow.length);
    for (const [index, panel] of inRow.entries()) {
      const gridPos = { x: index * width, y, w: width, h: HEIGHT[panel.shape] };
      panels.push({ id: panels.length + 1, ...panelJson(panel), gridPos });
    }
    y += Math.max(...inRow.map(({ shape }) => HEIGHT[shape]));
  }
  const json = {
    uid: `entrega-${dashboard.name}`,
    title: `entrega: ${dashboard.title}`,
    description: `${dashboard.description} What to do: ${RUNBOOKS}.`,
    tags: ['entrega'],
    schemaVersion: 39,
    editable: false,
    refresh: '15s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'utc',
    links: [{ type: 'dashboards', tags: ['entrega'], title: 'entrega', keepTime: true, asDropdown: false }],
    templating: {
      list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' }],
    },
    panels,
  };
  return `${JSON.stringify(json, null, 1)}\n`;
}

function panelJson(panel: Panel): object {
  const { title, description, unit, queries, shape, bad, isLowBad = false } = panel;
  const red = isLowBad
    ? [
        { color: 'red', value: null },
        { color: 'green', value: bad },
      ]
    : [
        { color: 'green', value: null },
        { color: 'red', value: bad },
      ];
  const thresholds = { mode: 'absolute', steps: bad === undefined ? [{ color: 'text', value: null }] : red };
  const isLine = shape === 'lines';
  return {
    type: { figure: 'stat', lines: 'timeseries', table: 'table' }[shape],
    title,
    description,
    datasource: DATASOURCE,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
      instant: !isLine,
      range: isLine,
      format: shape === 'table' ? 'table' : 'time_series',
    })),
    fieldConfig: {
      defaults: {
        unit,
        thresholds,
        ...(isLine && bad !== undefined && { custom: { thresholdsStyle: { mode: 'line' } } }),
      },
      overrides: [],
    },
    ...(shape === 'figure' && { options: { colorMode: 'value', graphMode: 'none' } }),
    ...(shape === 'table' && {
      transformations: [{ id: 'organize', options: { excludeByName: { Time: true } } }],
    }),
  };
}

/** Lines over time. */
export function lines(title: string, unit: Unit, description: string, ...queries: Query[]): Panel {
  return { title, unit, description, queries, shape: 'lines' };
}

/** One figure of now, red from `bad` on. */
export function figure(title: string, unit: Unit, description: string, expr: string, bad?: number): Panel {
  const queries = [{ expr, legend: title }];
  return { title, unit, description, queries, shape: 'figure', ...(bad !== undefined && { bad }) };
}

/** p50 and p99 of a histogram. */
export function quantiles(histogram: string, by: readonly string[] = []): Query[] {
  const legend = by.map((label) => `{{${label}}} `).join('');
  return [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (${['le', ...by].join(', ')}) (rate(${histogram}_bucket[5m])))`,
    legend: `${legend}p${quantile * 100}`,
  }));
}

/** Per second, added up over all processes. */
export function perSecond(counter: string, by: readonly string[]): Query {
  return {
    expr: `sum by (${by.join(', ')}) (rate(${counter}[1m]))`,
    legend: by.map((label) => `{{${label}}}`).join(' '),
  };
}
