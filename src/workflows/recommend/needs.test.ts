import { describe, expect, test } from 'vitest'
import { flowWords, needsOf, qualityGaps, worksOn } from './needs.ts'
import { sampleFlow, sampleRequirements } from './sample-flows.ts'

describe('gaps in quality', () => {
  test('SEO is compared with its own target, other metrics with the required quality level', () => {
    const requirements = sampleRequirements({
      current_quality_metrics: { seo_score: 40, readability_score: 70, structure_score: 80 },
      business_requirements: { target_seo_score: 85, required_quality_level: 'premium' },
    })
    expect(qualityGaps(requirements)).toEqual([
      { metric: 'readability', current: 70, target: 75, gap: 5 },
      { metric: 'seo', current: 40, target: 85, gap: 45 },
    ])
  })

  test('are empty without a target', () => {
    expect(qualityGaps(sampleRequirements({ current_quality_metrics: { seo_score: 1 } }))).toEqual([])
    const draft = { required_quality_level: 'draft' as const }
    const metrics = { technical_accuracy: 10 }
    expect(
      qualityGaps(sampleRequirements({ current_quality_metrics: metrics, business_requirements: draft })),
    ).toEqual([])
  })
})

describe('the words of a flow', () => {
  test('come from its id, label, category, tags and use cases', () => {
    const flow = sampleFlow('meta_tags', {
      flow: { label: 'Headlines', description: 'Not for invoices.', category: 'marketing', tags: ['seo'] },
      metadata: { use_cases: ['Blog posts'] },
    })
    const words = flowWords(flow)
    for (const word of ['meta', 'headline', 'marketing', 'seo', 'blog', 'post']) expect(words).toContain(word)
    expect(words).not.toContain('invoice')
    expect(worksOn('seo', words)).toBe(true)
    expect(worksOn('accuracy', words)).toBe(false)
  })

  test('come from its description when there are no others', () => {
    const flow = sampleFlow('helper', { flow: { description: 'Finds titles for invoices.' } })
    expect(flowWords(flow)).toContain('invoice')
  })
})

test('the needs of a request are its topics and quality gaps', () => {
  const requirements = sampleRequirements({
    content_type: 'article',
    content_characteristics: { domain: 'finance', target_audience: 'the' },
    current_quality_metrics: { seo_score: 40 },
    business_requirements: { target_seo_score: 80 },
  })
  expect(needsOf(requirements).map(({ name, weight }) => [name, weight])).toEqual([
    ['content_type', 3],
    ['domain', 2],
    ['seo gap', 2],
  ])
})
