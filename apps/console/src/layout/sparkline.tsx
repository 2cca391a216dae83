const WIDTH = 120;
const HEIGHT = 28;

/** A small line of values, the oldest first; its numbers stand beside it in words. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  if (values.length < 2)
    return <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />;
  const highest = Math.max(...values, 1e-9);
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * WIDTH;
    const y = HEIGHT - 2 - (value / highest) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} className="sparkline-area" />
      <polyline points={points.join(' ')} className="sparkline-line" />
    </svg>
  );
}
