import { describe, expect, test } from 'vitest'
import { criteria } from '#executions-api'
import { sampleRequirements } from './sample-flows.ts'

describe('a request', () => {
  test.each([
    [30, 30_000],
    ['90s', 90_000],
    ['5 minutes', 300_000],
    ['2 hours', 7_200_000],
    ['1d', 86_400_000],
    ['500ms', 500],
  ])('a time of %j is %i ms', (span, ms) => {
    expect(sampleRequirements({}, { preferences: { max_duration: span } }).timeBounds).toEqual([
      { name: 'max_duration', ms },
    ])
  })

  test('the tightest time limit counts', () => {
    const requirements = sampleRequirements(
      { business_requirements: { publication_deadline: '2026-05-01T12:00:45Z' } },
      { preferences: { max_duration: 60 }, constraints: { available_time_window: '50s' } },
    )
    expect(criteria.timeAvailable(requirements)).toBe(45_000)
    expect(criteria.timeAvailable(sampleRequirements())).toBeNull()
  })

  test('a past deadline leaves no time', () => {
    const requirements = sampleRequirements({
      business_requirements: { publication_deadline: '2026-05-01T11:00:00Z' },
    })
    expect(criteria.timeAvailable(requirements)).toBe(0)
  })

  test('scores up to 1 are read as shares of 100', () => {
    const { current, targetSeo } = sampleRequirements({
      current_quality_metrics: { seo_score: 0.45, readability_score: 60 },
      business_requirements: { target_seo_score: 0.9 },
    })
    expect(current).toEqual({ seo: 45, readability: 60 })
    expect(targetSeo).toBe(90)
  })

  test('memory and money are converted to bytes and micro-dollars', () => {
    const limits = { resource_limits: { max_memory: '2MB', max_concurrent_flows: 3 } }
    const requirements = sampleRequirements({}, { preferences: { max_cost: 0.25 }, constraints: limits })
    expect(requirements).toMatchObject({ maxBytes: 2 * 1024 * 1024, maxConcurrent: 3, maxCost: 250_000 })
  })
})
