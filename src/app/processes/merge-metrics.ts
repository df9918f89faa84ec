/**
 * Joins metrics in the Prometheus text format, each with a label of its own process. The format wants all series of
 * a metric in one group, below its description.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const groups = new Map<string, string[]>()
  let series: string[] = []
  for (const text of texts) {
    for (const line of text.split('\n')) {
      if (line.startsWith('# HELP ')) {
        const name = line.split(' ', 3)[2] ?? ''
        series = groups.get(name) ?? []
        if (series.length === 0) groups.set(name, series)
        else continue
      } else if (line === '' || (line.startsWith('# TYPE ') && series.length > 1)) continue
      series.push(line)
    }
  }
  return `${[...groups.values()].map((lines) => lines.join('\n')).join('\n\n')}\n`
}
