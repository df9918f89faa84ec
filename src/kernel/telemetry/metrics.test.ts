import { describe, expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

describe('metrics', () => {
  test('have the prefix and their labels', async () => {
    using metrics = createMetrics({ watchProcess: false })
    metrics.counter({ name: 'things_total', help: 'Things.', labels: ['kind'] }).inc({ kind: 'a' }, 2)
    metrics.histogram({ name: 'wait_seconds', help: 'Waits.', buckets: [1, 2] }).observe(1.5)
    metrics.gauge({ name: 'open', help: 'Open ones.' }).set(3)
    const text = await metrics.render()
    expect(text).toContain('tutti_things_total{kind="a"} 2')
    expect(text).toContain('tutti_wait_seconds_bucket{le="2"} 1')
    expect(text).toContain('tutti_open 3')
    expect(metrics.contentType).toContain('text/plain')
  })

  test('are declared once: declaring again returns the same metric', () => {
    using metrics = createMetrics({ watchProcess: false })
    const options = { name: 'things_total', help: 'Things.', labels: ['kind'] } as const
    expect(metrics.counter(options)).toBe(metrics.counter(options))
    expect(() => metrics.gauge(options)).toThrow('tutti_things_total')
    expect(() => metrics.counter({ ...options, labels: ['other'] })).toThrow('tutti_things_total')
  })

  test('of two registries are independent', async () => {
    using first = createMetrics({ watchProcess: false })
    using second = createMetrics({ watchProcess: false })
    first.counter({ name: 'only_first_total', help: 'x' }).inc()
    expect(await second.render()).not.toContain('only_first')
  })

  test('are collected when read, also asynchronously', async () => {
    using metrics = createMetrics({ watchProcess: false })
    let size = 1
    metrics.gauge({
      name: 'queue',
      help: 'Waiting.',
      async collect(gauge) {
        await Promise.resolve()
        gauge.set(size)
      },
    })
    expect(await metrics.render()).toContain('tutti_queue 1\n')
    size = 7
    expect(await metrics.render()).toContain('tutti_queue 7\n')
  })

  test('a failed metric has no value, is counted, and does not affect the others', async () => {
    using metrics = createMetrics({ watchProcess: false })
    let broken = false
    metrics.gauge({
      name: 'queue',
      help: 'Waiting.',
      collect(gauge) {
        if (broken) throw new Error('database away')
        gauge.set(5)
      },
    })
    metrics.counter({ name: 'fine_total', help: 'Fine.' }).inc()
    await metrics.render()
    broken = true
    await metrics.render()
    const text = await metrics.render()
    expect(text).not.toMatch(/^tutti_queue \d/m)
    expect(text).toContain('tutti_fine_total 1')
    expect(text).toMatch(/tutti_metric_collect_failures_total\{metric="queue"\} [12]/)
  })

  test('with labels may fail to collect, too', async () => {
    const metrics = createMetrics({ watchProcess: false })
    metrics.gauge({
      name: 'waiting',
      help: 'Waiting.',
      labels: ['state'],
      collect: () => Promise.reject(new Error('the database is closed')),
    })
    metrics.counter({ name: 'fine_total', help: 'Fine.' }).inc()
    const text = await metrics.render()
    expect(text).not.toMatch(/^tutti_waiting\{/m)
    expect(text).toContain('tutti_fine_total 1')
  })

  test('of the process are collected until closed', async () => {
    const metrics = createMetrics()
    const text = await metrics.render()
    for (const name of [
      'process_cpu_seconds_total',
      'process_memory_bytes',
      'nodejs_eventloop_utilization_ratio',
    ]) {
      expect(text).toContain(`tutti_${name}`)
    }
    metrics.close()
    metrics.close()
    expect(await metrics.render()).toContain('tutti_process_memory_bytes')
  })
})
