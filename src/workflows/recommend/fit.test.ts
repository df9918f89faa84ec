import { describe, expect, test } from 'vitest'
import { fitFactors } from './fit.ts'
import { prompt, sampleFlow, sampleModel, sampleRequirements } from './sample-flows.ts'

type Sample = Parameters<typeof sampleFlow>[1]

function factorOf(name: string, sample: Sample, ...requirements: Parameters<typeof sampleRequirements>) {
  const factor = fitFactors(sampleFlow('flow', sample), sampleRequirements(...requirements)).find(
    (it) => it.name === name,
  )
  if (factor === undefined) throw new Error(`no factor ${name}`)
  return factor
}

test('aspects that were not requested do not count', () => {
  const factors = fitFactors(sampleFlow('flow'), sampleRequirements())
  expect(factors.every(({ score, asked }) => score === null && !asked)).toBe(true)
})

describe('the topic factor', () => {
  const context = { content_type: 'article', content_characteristics: { domain: 'finance' } }

  test('matches tags, category and use cases; the content type has the highest weight', () => {
    expect(factorOf('topic', { flow: { tags: ['articles'] } }, context).score).toBe(0.6)
    expect(factorOf('topic', { flow: { category: 'finance' } }, context).score).toBe(0.4)
    const both = { flow: { tags: ['finance'] }, metadata: { use_cases: ['Long articles'] } }
    expect(factorOf('topic', both, context)).toMatchObject({
      score: 1,
      evidence: 'Its name, category, tags or use cases match content_type, domain.',
    })
  })

  test('is 0 for a flow about another topic', () => {
    expect(factorOf('topic', { flow: { tags: ['invoices'] } }, context)).toMatchObject({
      score: 0,
      asked: true,
    })
  })

  test.each(['role', 'audience', 'technical'])('%s counts, too', (what) => {
    const asked = {
      role: { user_context: { role: 'editor' } },
      audience: { content_characteristics: { target_audience: 'editors' } },
      technical: { content_characteristics: { technical_level: 'Editor' } },
    }[what]
    expect(factorOf('topic', { flow: { tags: ['editor'] } }, asked).score).toBe(1)
  })
})

test('a quality gap counts by its size', () => {
  const context = {
    current_quality_metrics: { seo_score: 20, structure_score: 40 },
    business_requirements: { target_seo_score: 50, required_quality_level: 'standard' as const },
  }
  expect(factorOf('quality_gaps', { flow: { tags: ['seo'] } }, context)).toMatchObject({
    score: 0.75,
    evidence: 'It works on seo (30 points).',
  })
  expect(factorOf('quality_gaps', { flow: { tags: ['outline'] } }, context).score).toBe(0.25)
  expect(factorOf('quality_gaps', { flow: { tags: ['poems'] } }, context)).toMatchObject({
    score: 0,
    weight: 4.5,
  })
})

describe('the language factor', () => {
  const german = { content_characteristics: { language: 'de-AT' } }

  test.each([
    [['de'], 1],
    [['German'], 1],
    [['lang:de'], 1],
    [['fr', 'english'], 0],
    [['seo'], null],
  ])('with the tags %j: %s', (tags, score) => {
    expect(factorOf('language', { flow: { tags } }, german).score).toBe(score)
  })

  test('is 1 for a flow with a language placeholder in its prompt', () => {
    const told = { flow: { steps: [prompt('write', { prompt: 'Write in {{metadata.language}}.' })] } }
    expect(factorOf('language', told, german).score).toBe(1)
  })
})

describe('complexity and experience', () => {
  const complex = { metadata: { complexity_level: 'advanced' } }

  test('complexity is 1 when the content is as complex as the flow', () => {
    expect(factorOf('complexity', complex, { content_characteristics: { complexity: 'high' } }).score).toBe(1)
    expect(factorOf('complexity', complex, { content_characteristics: { complexity: 'low' } }).score).toBe(0)
    expect(factorOf('complexity', complex, { content_characteristics: { complexity: 'odd' } })).toMatchObject(
      {
        score: null,
        asked: true,
      },
    )
  })

  test('a flow may be too complex for a beginner, but never too simple for an expert', () => {
    expect(factorOf('experience', complex, { user_context: { experience_level: 'beginner' } }).score).toBe(0)
    expect(factorOf('experience', complex, { user_context: { experience_level: 'expert' } }).score).toBe(1)
    const simple = { metadata: { complexity_level: 'simple' } }
    expect(factorOf('experience', simple, { user_context: { experience_level: 'expert' } }).score).toBe(1)
  })
})

test('flows of the same department and previously used flows score higher', () => {
  const asked = { user_context: { department: 'Marketing', previous_workflows: ['flow'] } }
  expect(factorOf('department', { metadata: { department: 'marketing ' } }, asked).score).toBe(1)
  expect(factorOf('department', { metadata: { department: 'legal' } }, asked).score).toBe(0)
  expect(factorOf('familiarity', {}, asked).score).toBe(1)
  expect(factorOf('familiarity', {}, { user_context: { previous_workflows: ['other'] } }).score).toBe(0)
})

test('the provider factor is the share of steps with a preferred provider', () => {
  const models = [
    { stepId: 'a', named: null, entry: sampleModel('ollama', 'small', 0), tokens: null },
    { stepId: 'b', named: 'big', entry: sampleModel('openai', 'big', 1), tokens: null },
  ]
  const preferences = { preferred_providers: ['ollama'] }
  expect(factorOf('providers', { models }, {}, { preferences }).score).toBe(0.5)
  expect(factorOf('providers', {}, {}, { preferences }).score).toBeNull()
})

test('the compliance factor is the share of requirements that the flow declares', () => {
  const context = { business_requirements: { compliance_requirements: ['GDPR', 'WCAG 2.2'] } }
  expect(factorOf('compliance', { flow: { tags: ['gdpr'] } }, context).score).toBe(0.5)
  expect(factorOf('compliance', { flow: { tags: ['wcag 2.2', 'GDPR compliant'] } }, context).score).toBe(1)
})
