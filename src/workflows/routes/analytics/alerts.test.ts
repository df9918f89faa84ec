import { describe, expect, test } from 'vitest'
import type { HistoryResult } from '#engine'
import { findAlerts } from './alerts.ts'
import { viewStats } from './view.ts'

type FlowStatistics = HistoryResult<'stats'>
type FlowSums = FlowStatistics['total']
type StepSums = NonNullable<ReturnType<FlowStatistics['stepTypes']['get']>>
type ModelSums = Omit<FlowStatistics['models'][number], 'provider' | 'model'>

/** Durations of about a second, in this bucket of the histogram. */
const atOneSecond = 20
const counts = (count: number, bucket = atOneSecond) => ({
  counts: Array.from({ length: 59 }, (_, place) => (place === bucket ? count : 0)),
  minMs: null,
  maxMs: null,
})

const flowSums = (sums: Partial<FlowSums> = {}): FlowSums => ({
  executions: 20,
  completed: 20,
  failed: 0,
  cancelled: 0,
  batches: 0,
  batch_items: 0,
  duration_ms: 20_000,
  took: counts(20),
  completed_spent: 2000,
  completed_spent_squares: 200_000,
  begun: 20,
  queued_ms: 200,
  spent: 2000,
  unpriced: 0,
  decisions: 0,
  cpu_ms: 0,
  peak_bytes: 0,
  ...sums,
})

const modelSums = (sums: Partial<ModelSums> = {}): ModelSums => ({
  completed: 20,
  failed: 0,
  input_tokens: 0,
  output_tokens: 0,
  spent: 0,
  ai_calls: 20,
  cache_hits: 0,
  ai_ms: 0,
  quality_sum: 0,
  quality_count: 0,
  took: counts(20),
  ...sums,
})

const stepSums = (sums: Partial<StepSums> = {}): StepSums => ({
  ...modelSums(),
  skipped: 0,
  attempts: 20,
  duration_ms: 0,
  completed_spent: 0,
  network_requests: 0,
  api_ms: 0,
  confidence_sum: 0,
  confidence_count: 0,
  ...sums,
})

const now = new Date('2026-03-01T12:00:00Z')

interface Scene {
  readonly flow?: Partial<FlowSums>
  readonly before?: Partial<FlowSums>
  readonly step?: Partial<StepSums>
  readonly model?: Partial<ModelSums>
}

function alertsOf({ flow, before, step, model }: Scene = {}) {
  const total = flowSums(flow)
  const totalBefore = flowSums(before)
  const steps = stepSums(step)
  const stats: FlowStatistics = {
    total,
    totalBefore,
    flows: new Map([['reviews', total]]),
    flowsBefore: new Map([['reviews', totalBefore]]),
    labels: new Map(),
    stepTypes: new Map([['ai_prompt', steps]]),
    steps: [{ ...steps, flow_id: 'reviews', step_id: 'write', type: 'ai_prompt' }],
    models: [{ ...modelSums(model), provider: 'cloud', model: 'large' }],
    accounts: [],
    accountCount: 0,
    returningAccounts: 0,
    errors: [],
    hours: [],
    period: { from: now, to: undefined },
    periodBefore: { from: now, to: now },
    at: now,
  }
  return findAlerts(viewStats(stats, undefined))
}

describe('alerts', () => {
  test('are empty when all values are normal', () => {
    expect(alertsOf()).toEqual([])
  })

  test.each<[string, Scene, object]>([
    [
      'low_success_rate',
      { flow: { completed: 17, failed: 3 }, step: { failed: 3 } },
      { severity: 'warning', flow_id: 'reviews', value: 85, threshold: 90 },
    ],
    [
      'low_success_rate',
      { flow: { completed: 10, failed: 10, duration_ms: 10_000 } },
      { severity: 'critical', value: 50 },
    ],
    ['slower_than_before', { flow: { duration_ms: 40_000 } }, { flow_id: 'reviews', threshold: 1.5 }],
    ['cost_increase', { before: { spent: 1000, completed_spent: 1000 } }, { flow_id: 'reviews', value: 2 }],
    [
      'provider_failing',
      { model: { completed: 17, failed: 3 } },
      { severity: 'warning', provider: 'cloud', value: 15 },
    ],
    ['provider_failing', { model: { completed: 10, failed: 10 } }, { severity: 'critical', value: 50 }],
    ['long_queue', { flow: { queued_ms: 20 * 31_000 } }, { value: 31, flow_id: null }],
    ['many_retries', { step: { attempts: 30 } }, { severity: 'info', metric: 'retry_rate' }],
    ['cost_without_result', { flow: { completed_spent: 1500 } }, { value: 25 }],
    ['low_quality', { step: { quality_sum: 500, quality_count: 10 } }, { flow_id: 'reviews', value: 50 }],
    ['unpriced_models', { flow: { unpriced: 2 } }, { severity: 'info', value: 2 }],
  ])('have the type %s', (type, scene, found) => {
    const alerts = alertsOf(scene)
    expect(alerts.map((alert) => alert.type)).toEqual([type])
    expect(alerts[0]).toMatchObject(found)
  })

  test.each<[string, Scene]>([
    [
      'failures',
      { flow: { executions: 9, completed: 5, failed: 4 }, before: { executions: 9, completed: 9 } },
    ],
    ['provider failures', { model: { completed: 4, failed: 4 } }],
    ['quality', { step: { quality_sum: 9, quality_count: 9 } }],
    ['queue times', { flow: { begun: 9, queued_ms: 9_000_000 } }],
  ])('do not include %s with too few samples', (_, scene) => {
    expect(alertsOf(scene)).toEqual([])
  })

  test('are sorted by severity and name the affected step', () => {
    const alerts = alertsOf({
      flow: { completed: 10, failed: 10, duration_ms: 10_000, unpriced: 1 },
      step: { failed: 10, completed: 10, attempts: 20 },
    })
    expect(alerts.map(({ severity }) => severity)).toEqual(['critical', 'info'])
    expect(alerts[0]?.recommendation).toContain('"write", which failed 10 times')
  })
})
