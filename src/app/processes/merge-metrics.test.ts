import { expect, test } from 'vitest'
import { createMetrics } from '#kernel/telemetry'
import { mergeMetrics } from './merge-metrics.ts'

async function metricsOf(process: string, requests: number): Promise<string> {
  const metrics = createMetrics({ watchProcess: false, process })
  metrics
    .counter({ name: 'requests_total', help: 'Requests.', labels: ['status'] })
    .inc({ status: '200' }, requests)
  metrics.histogram({ name: 'wait_seconds', help: 'Waits.', buckets: [1] }).observe(requests)
  return metrics.render()
}

test('the series of all processes are in one group per metric, distinguished by their process', async () => {
  const merged = mergeMetrics([await metricsOf('1', 3), await metricsOf('2', 5)])
  expect(merged).toContain(
    [
      '# HELP tutti_requests_total Requests.',
      '# TYPE tutti_requests_total counter',
      'tutti_requests_total{status="200",process="1"} 3',
      'tutti_requests_total{status="200",process="2"} 5',
      '',
    ].join('\n'),
  )
  expect(merged.match(/^# TYPE tutti_wait_seconds histogram$/gm)).toHaveLength(1)
  expect(merged.match(/^tutti_wait_seconds_count\{process="\d"\} 1$/gm)).toHaveLength(2)
})

test('a metric of one process alone keeps its description', async () => {
  const other = createMetrics({ watchProcess: false, process: 'supervisor' })
  other.gauge({ name: 'alone', help: 'Alone.' }).set(1)
  const merged = mergeMetrics([await other.render(), await metricsOf('1', 1)])
  expect(merged).toContain(
    '# HELP tutti_alone Alone.\n# TYPE tutti_alone gauge\ntutti_alone{process="supervisor"} 1\n',
  )
  expect(merged.endsWith('\n')).toBe(true)
})
