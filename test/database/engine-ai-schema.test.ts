import { describe, expect, test } from 'vitest'
import { lastAsked, openAiScene, says } from './engine-ai-scene.ts'

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'score'],
  properties: { title: { type: 'string' }, score: { type: 'number', minimum: 0, maximum: 1 } },
}
const step = { prompt: 'Rate tea.', ai_options: { model: 'gpt-4o-mini' }, output_schema: schema }

describe('a prompt with output_schema', () => {
  test('outputs the JSON of a valid response, which does not stream', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('{"title": "Tea", "score": 0.9}', { input: 20, output: 100 }))
    const result = await scene.run(step)
    expect(result).toMatchObject({
      output: { title: 'Tea', score: 0.9 },
      details: { finish_reason: 'stop', post_processing_applied: [], schema_attempts: 1 },
      usage: { provider: 'openai', microDollars: 63, aiCalls: 1 },
    })
    expect(lastAsked(scene)).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema } },
    })
    expect(scene.seen.tokens).toEqual([])
    expect(scene.seen.phases).toEqual([
      'prompt_processed',
      'ai_response_streaming',
      'response_processing',
      'validation',
    ])
  })

  test('sends an invalid response back with its problems, and pays for each call', async () => {
    await using scene = await openAiScene()
    const usage = { input: 20, output: 100 }
    scene.openai.script(says('{"title": "Tea"}', usage), says('{"title": "Tea", "score": 0.4}', usage))
    const result = await scene.run(step)
    expect(result).toMatchObject({
      output: { title: 'Tea', score: 0.4 },
      details: { schema_attempts: 2 },
      usage: { aiCalls: 2, microDollars: 126, inputTokens: 40 },
    })
    expect(lastAsked(scene)).toMatchObject({
      messages: [
        { role: 'user', content: 'Rate tea.' },
        { role: 'assistant', content: '{"title": "Tea"}' },
        { role: 'user', content: expect.stringContaining('score') },
      ],
    })
  })

  test('fails with the problems when no response is valid, after schema_attempts calls', async () => {
    await using scene = await openAiScene()
    const usage = { input: 20, output: 100 }
    scene.openai.script(says('Tea is good.', usage), says('{"title": 1, "score": 0.4}', usage))
    const asked = scene.openai.requests.length
    const failure = await scene.fail({ ...step, schema_attempts: 2 })
    expect(failure).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        failed_checks: [{ check: 'output_schema', found: [expect.objectContaining({ path: '/title' })] }],
      },
      usage: { aiCalls: 2, microDollars: 126 },
    })
    expect(failure.message).toContain('after 2 attempts')
    expect(
      scene.openai.requests.slice(asked).filter(({ path }) => path.endsWith('/completions')),
    ).toHaveLength(2)
  })

  test('validation of the step applies to the value', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('{"title": "Tea", "score": 0.9}'))
    const failure = await scene.fail({ ...step, validation: { required_fields: ['title', 'author'] } })
    expect(failure).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'required_fields', found: ['title'] }] },
    })
  })

  test('an agent decides about the value', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('{"title": "Tea", "score": 0.9}'))
    const result = await scene.run({
      ...step,
      agent_routing: true,
      routing_options: {
        publish: { condition: 'steps.ask.score > 0.5' },
        reject: { condition: 'steps.ask.score <= 0.5' },
      },
    })
    expect(result).toMatchObject({ output: { score: 0.9 }, decision: { decision: 'publish' } })
  })

  test('a schema above the size limit fails before anything is spent', async () => {
    await using scene = await openAiScene()
    const asked = scene.openai.requests.length
    const failure = await scene.fail({ ...step, output_schema: { description: 'x'.repeat(65 * 1024) } })
    expect(failure).toMatchObject({ code: 'INVALID_STEP', message: 'The schema is longer than 64 KiB.' })
    expect(scene.openai.requests).toHaveLength(asked)
  })

  test('the built-in provider fills a schema of findings, and fails any other one as a missing language model', async () => {
    await using scene = await openAiScene({ only: ['builtin'] })
    const text = 'Green tea is a drink that many people like. It is served hot in small cups.'
    const ai_options = { model: 'builtin:text' }
    const counted = {
      type: 'object',
      required: ['word_count'],
      properties: { word_count: { type: 'integer' } },
    }
    expect(await scene.run({ prompt: text, ai_options, output_schema: counted })).toMatchObject({
      output: { word_count: 16 },
    })
    expect(await scene.fail({ ...step, ai_options })).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      details: { reason: 'no_language_model' },
    })
  })
})
