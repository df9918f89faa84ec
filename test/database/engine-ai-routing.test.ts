import { describe, expect, test } from 'vitest'
import { type AiScene, lastAsked, openAiScene, says } from './engine-ai-scene.ts'

const routing_options = {
  deep: {
    add_steps: ['research'],
    condition: 'analysis.score < 50',
    continue_to: 'write',
    reason: 'It is weak.',
  },
  quick: { continue_to: 'publish', reason: 'It is good.' },
  legal: { add_steps: ['lawyer'], condition: { field: 'metadata.kind', operator: '==', value: 'contract' } },
}
const step = {
  ai_options: { model: 'gpt-4o-mini', max_tokens: 100 },
  agent_routing: true,
  routing_prompt: 'Given {{analysis.score}} for {{topic}}, what next?',
  routing_options,
  post_processing: [{ operation: 'format', format: 'json' }],
  output_to_memory: 'analysis',
}
const weak = says('{"score": 40}')
const decides = (option: string, confidence: number) =>
  says(JSON.stringify({ option, confidence, reasoning: 'Because.' }))

/** The requests to the model so far. */
const asked = ({ openai }: AiScene) => openai.requests.filter(({ method }) => method === 'POST').length

describe('routing', () => {
  test('lets the model choose among the options whose condition holds', async () => {
    await using scene = await openAiScene()
    scene.openai.script(weak, decides('deep', 0.9))
    const result = await scene.run(step, { memory: { topic: 'tea' } })
    expect(result).toMatchObject({
      output: { score: 40 },
      choice: { kind: 'route', added: ['research'], next: 'write' },
      decision: {
        agent: 'openai/gpt-4o-mini',
        decision: 'deep',
        confidence: 0.9,
        reasoning: 'Because.',
        contextUsed: ['steps.ask', 'analysis.score', 'topic', 'metadata.kind'],
        alternatives: ['quick'],
        stepsAdded: ['research'],
      },
      confidence: 0.9,
      // Two calls: 2 × (100 × 0.15 + 50 × 0.60) = 90
      usage: { aiCalls: 2, networkRequests: 2, inputTokens: 200, outputTokens: 100, microDollars: 90 },
    })
    const { messages, response_format: format } = lastAsked(scene) as {
      messages: { content: string }[]
      response_format: object
    }
    expect(messages[1]?.content).toBe(
      [
        'Given 40 for tea, what next?',
        'The options:\n- deep: It is weak. Offered because analysis.score < 50. Adds the steps research.\n- quick: It is good.',
        'The answer of the step:\n"""\n{"score":40}\n"""',
      ].join('\n\n'),
    )
    expect(JSON.stringify(format)).toContain('"enum":["deep","quick"]')
  })

  test('calls no model when one option is left', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('{"score": 80}'))
    const { choice, decision } = await scene.run(step)
    expect(choice).toEqual({ kind: 'route', added: [], next: 'publish' })
    expect(decision).toMatchObject({
      agent: 'conditions',
      decision: 'quick',
      confidence: 1,
      reasoning: 'It is the only option. It is good.',
      alternatives: [],
    })
    expect(asked(scene)).toBe(1)
  })

  test('continues as drawn when no condition holds', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('{"score": 80}'))
    const { deep, legal } = routing_options
    const { choice, decision } = await scene.run({ ...step, routing_options: { deep, legal } })
    expect(choice).toEqual({ kind: 'route', added: [] })
    expect(decision).toMatchObject({
      decision: 'continue',
      stepsAdded: [],
      alternatives: ['deep', 'legal'],
    })
  })

  test('is skipped when the flow does not allow agent decisions', async () => {
    await using scene = await openAiScene()
    scene.openai.script(weak)
    const result = await scene.run(step, { flow: { agent_routing_enabled: false } })
    expect(result.choice).toBeUndefined()
    expect(result.decision).toBeUndefined()
    expect(asked(scene)).toBe(1)
  })

  test('is not paid for when the response is rejected', async () => {
    await using scene = await openAiScene()
    scene.openai.script(weak)
    const failure = await scene.fail({ ...step, validation: { required_fields: ['rating'] } })
    expect(failure.code).toBe('VALIDATION_FAILED')
    expect(asked(scene)).toBe(1)
  })

  test('fails below the confidence the step requires', async () => {
    await using scene = await openAiScene()
    scene.openai.script(weak, decides('deep', 0.4))
    expect(await scene.fail({ ...step, validation: { min_confidence: 0.5 } })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'min_confidence', expected: 0.5, found: 0.4 }] },
      usage: { aiCalls: 2, microDollars: 90 },
    })
  })

  test('retries for an existing option, and fails when none is chosen', async () => {
    await using scene = await openAiScene()
    scene.openai.script(weak, decides('legal', 0.9), decides('quick', 0.7))
    expect((await scene.run(step)).decision?.decision).toBe('quick')
    const nonsense = says('I would rather not.')
    scene.openai.script(weak, nonsense, nonsense, nonsense)
    expect(await scene.fail(step)).toMatchObject({
      code: 'AGENT_DECISION_ERROR',
      details: { reason: 'answer_not_as_asked' },
      usage: { aiCalls: 4, microDollars: 180, inputTokens: 400, outputTokens: 200 },
    })
  })

  test('reports an unavailable provider as such', async () => {
    await using scene = await openAiScene()
    scene.openai.script(weak, { status: 503 })
    expect(await scene.fail(step)).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      provider: 'openai',
      usage: { provider: 'openai', aiCalls: 2, microDollars: 45 },
    })
  })
})

describe('without a language model', () => {
  const moderate = {
    prompt: 'Sentiment: {{content}}',
    agent_routing: true,
    routing_options: {
      approve: { continue_to: 'publish', reason: 'The message is neutral or positive.' },
      reject: { add_steps: ['note'], reason: 'The message is negative.' },
    },
  }

  test('routing is decided by computed values, and says so', async () => {
    await using scene = await openAiScene({ only: ['builtin'] })
    const decide = async (content: string) => (await scene.run(moderate, { context: { content } })).decision
    const bad = await decide(
      'This is a terrible, awful and ugly product. I hate it and I am very sad and angry.',
    )
    expect(bad).toMatchObject({ agent: 'builtin:text', decision: 'reject', stepsAdded: ['note'] })
    expect(bad?.reasoning).toMatch(/^Chosen without a language model, by true conditions and words found/)
    expect(bad?.confidence).toBeGreaterThan(0.5)
    const good = await decide(
      'This is a wonderful, beautiful and lovely product. I love it and I am very happy.',
    )
    expect(good).toMatchObject({ decision: 'approve', alternatives: ['reject'] })
  })

  test('routing continues with the remaining options when providers may fall back', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('A negative message.'), { status: 503 })
    scene.anthropic.script({ status: 529 })
    const { decision, usage } = await scene.run(
      { ...moderate, ai_options: { model: 'gpt-4o-mini' } },
      { options: { ai_options: { fallback_enabled: true } } },
    )
    expect(decision).toMatchObject({ agent: 'builtin:text', decision: 'reject' })
    expect(usage.provider).toBe('openai')
  })
})
