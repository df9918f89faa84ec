import { describe, expect, test } from 'vitest'
import { openAgentsScene, plain, questions, says } from './orchestra-agents-scene.ts'

const outcomeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['outcome'],
  properties: { outcome: { type: 'string' }, score: { type: 'number' } },
}
const asJson = { output_format: 'json', output_schema: outcomeSchema }
const configured = (fields: object) => ({ configuration: { ...plain.configuration, ...fields } })

describe('the input of an agent', () => {
  test('is filled from the execution, and missing values are reported', async () => {
    await using scene = await openAgentsScene()
    await scene.make({
      prompt: '{{content}} | {{instructions}} | {{tone}} | {{words}}',
      system_prompt: 'You are {{tone}}.',
      parameters: { tone: { default: 'kind' }, words: {} },
      ai_options: { temperature: 0.4, max_tokens: 70 },
    })
    await scene.run(
      { input: 'On {{topic}}', instructions: 'For {{missing}}.', parameters: { words: '{{count}}' } },
      { memory: { topic: 'tea', count: 12 } },
    )
    expect(questions(scene)[0]).toEqual([
      { role: 'system', content: 'You are kind.' },
      { role: 'user', content: 'On tea | For . | kind | 12' },
    ])
    expect(scene.openai.lastCall()?.body).toMatchObject({ temperature: 0.4, max_tokens: 70 })
    expect(scene.seen.logs).toContain('No value was found for {{missing}}; the placeholder was left empty.')
    await scene.run({ ai_options: { temperature: 0.9, max_tokens: 9 } })
    expect(scene.openai.lastCall()?.body).toMatchObject({ temperature: 0.9, max_tokens: 9 })
    expect(await scene.fail({ input: '{{made}}' }, { failed: { made: 'maker' } })).toMatchObject({
      code: 'STEP_DEPENDENCY_FAILED',
    })
  })

  test('is not expanded again after it was filled in', async () => {
    await using scene = await openAgentsScene()
    await scene.make({ prompt: '{{content}} {{secret}}', parameters: { secret: { default: 'hidden' } } })
    await scene.run({}, { content: 'Tell {{secret}}' })
    expect(questions(scene)[0]?.[0]?.content).toBe('Tell {{secret}} hidden')
  })

  test('is refused when it is too long, empty, of another type or in another language', async () => {
    await using scene = await openAgentsScene()
    await scene.make({
      ...configured({ max_input_length: 200 }),
      supported_languages: ['de'],
      input_types: ['markdown'],
    })
    const refused = async (content: unknown) => scene.fail({}, { content })
    expect(await refused('x'.repeat(201))).toMatchObject({
      code: 'INVALID_STEP',
      message: '"plain" takes at most 200 characters, and the input has 201.',
      details: { characters: 201, max_input_length: 200 },
    })
    expect(await refused('  ')).toMatchObject({
      code: 'INVALID_STEP',
      message: expect.stringContaining('empty'),
    })
    expect(await refused({ a: 1 })).toMatchObject({ details: { found: 'json', input_types: ['markdown'] } })
    expect(await refused('<p>Hello</p><p>there</p>')).toMatchObject({ details: { found: 'html' } })
    expect(await refused('This is surely a sentence in English, as every reader can see.')).toMatchObject({
      message: '"plain" supports texts in de, and the input is English.',
      details: { found: 'en', supported_languages: ['de'] },
    })
    expect(questions(scene)).toEqual([])
    await scene.run({}, { content: 'Das ist ganz sicher ein deutscher Satz, daran zweifelt niemand.' })
    expect(questions(scene)).toHaveLength(1)
  })

  test('requires the declared parameters, and no others', async () => {
    await using scene = await openAgentsScene()
    await scene.make({
      prompt: '{{content}} {{language}} {{size}}',
      parameters: { language: { required: true }, size: { choices: ['small', 'large'], default: 'small' } },
    })
    expect(await scene.fail({})).toMatchObject({
      code: 'INVALID_STEP',
      message: '"plain" needs the parameter "language".',
    })
    expect(
      await scene.fail({ parameters: { language: 'de', size: '{{size}}' } }, { memory: { size: 'huge' } }),
    ).toMatchObject({ message: 'The parameter "size" of "plain" must be one of small, large.' })
    await scene.run({ parameters: { language: 'de', colour: 'red' } })
    expect(scene.seen.logs).toContain('"plain" has no parameter colour any more.')
    expect(questions(scene)[0]?.[0]?.content).toBe('A text. de small')
  })
})

describe('the agent of a step', () => {
  test('is active, in the version that the step names', async () => {
    await using scene = await openAgentsScene()
    await scene.make({})
    await scene.agents.change(
      'plain',
      { definition: { ...plain, prompt: 'Second: {{content}}' } },
      { by: null },
    )
    const { details } = await scene.run({})
    expect(details).toMatchObject({ agent: 'plain', agent_version: 2 })
    await scene.run({ agent_version: 1 })
    expect(questions(scene).map(([message]) => message?.content)).toEqual([
      'Second: A text.',
      'About: A text.',
    ])
    expect(await scene.fail({ agent_version: 3 })).toMatchObject({
      message: 'There is no agent "plain" with a version 3.',
    })
    expect(await scene.fail({ agent: 'unknown' })).toMatchObject({ message: 'There is no agent "unknown".' })
    await scene.agents.change('plain', { status: 'maintenance' }, { by: null })
    expect(await scene.fail({})).toMatchObject({
      code: 'INVALID_STEP',
      message: expect.stringContaining('in maintenance'),
      details: { status: 'maintenance' },
    })
    await scene.agents.change('plain', { status: 'inactive' }, { by: null })
    expect(await scene.fail({})).toMatchObject({
      message: 'The agent "plain" is inactive. Set its status to active to run it.',
    })
  })

  test('computes instead of calling a model only when fallback is allowed, or on request', async () => {
    await using scene = await openAgentsScene()
    await scene.make({
      analysers: [{ analyser: 'length' }],
      analysis_output: 'Words: {{analysis.length.words}}',
    })
    scene.openai.script({ status: 503 })
    expect(await scene.fail({})).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      provider: 'openai',
      usage: { aiCalls: 1 },
    })
    scene.openai.script({ status: 503 })
    const fallen = await scene.run({}, { options: { ai_options: { fallback_enabled: true } } })
    expect(fallen).toMatchObject({ output: 'Words: 2', details: { method: 'analysis' }, confidence: 0.5 })
    expect(scene.seen.logs.join()).toContain('so the analysers produced the output')
    expect((await scene.run({}, { avoided: ['openai'] })).output).toBe('Words: 2')
    expect(await scene.fail({}, { avoided: ['openai', 'builtin'] })).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
    const asked = questions(scene).length
    expect((await scene.run({ ai_options: { model: 'builtin:text' } })).output).toBe('Words: 2')
    const preferring = { options: { ai_options: { preferred_providers: ['builtin'] } } }
    expect((await scene.run({}, preferring)).output).toBe('Words: 2')
    expect(questions(scene)).toHaveLength(asked)
    expect(await scene.fail({ ai_options: { model: 'gpt-9' } })).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      message: expect.stringContaining('gpt-9'),
    })
  })

  test('is stopped at its timeout, and when the execution ends', async () => {
    await using scene = await openAgentsScene()
    await scene.make(configured({ timeout: 1 }))
    scene.openai.script('hang')
    expect(await scene.fail({})).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      message: '"plain" exceeded its timeout of 1 seconds.',
      details: { reason: 'agent_timeout', timeout: 1 },
    })
    scene.openai.script('hang')
    const stop = new AbortController()
    const running = scene.run({}, { signal: stop.signal })
    stop.abort(new Error('cancelled'))
    await expect(running).rejects.toThrow('cancelled')
  })
})

describe('the output of an agent', () => {
  test('is streamed only where the agent streams', async () => {
    await using scene = await openAgentsScene()
    await scene.make({})
    await scene.make({ id: 'streaming', ...configured({ supports_streaming: true }) })
    expect((await scene.run({})).output).toBe('The sky is blue.')
    expect(scene.seen.tokens).toEqual([])
    await scene.run({ agent: 'streaming' })
    expect(scene.seen.tokens.join('')).toBe('The sky is blue.')
    expect(scene.seen.phases).toEqual([
      'prompt_processed',
      'ai_response_streaming',
      'response_processing',
      'validation',
    ])
  })

  test.each([
    ['html', '# Hi <script>alert(1)</script>', /^<h1[^>]*>Hi/],
    ['markdown', '<h1>Hi</h1><p>there</p>', /^# Hi/],
    ['text', '# Hi **you**', /^Hi you/],
  ])('is converted to its format: %s', async (format, answer, expected) => {
    await using scene = await openAgentsScene()
    await scene.make({ output_format: format })
    scene.openai.script(says(answer))
    const { output } = await scene.run({})
    expect(output).toMatch(expected)
    expect(output).not.toContain('<script>')
  })

  test('satisfies its schema; the model is called again, as often as the agent allows', async () => {
    await using scene = await openAgentsScene()
    await scene.make({
      ...asJson,
      ...configured({ retry_limit: 1 }),
      conclusion: { decision: '{{outcome}}' },
    })
    scene.openai.script(says('no JSON'))
    scene.openai.script(says({ outcome: 'fine', score: 1 }))
    const result = await scene.run({})
    expect(result).toMatchObject({
      output: { outcome: 'fine', score: 1, method: 'model' },
      decision: {
        decision: 'fine',
        reasoning: 'Done by openai/gpt-4o-mini in 2 calls; 0 of 0 checks passed.',
      },
      usage: { aiCalls: 2 },
      details: { asked: 2 },
    })
    scene.openai.script(says('no JSON'))
    scene.openai.script(says({ score: 'high' }))
    expect(await scene.fail({}, { attempt: 2 })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'output_schema' }] },
      usage: { aiCalls: 2, inputTokens: 200 },
    })
  })

  test('fails the step when its schema check times out', async () => {
    await using scene = await openAgentsScene({ withModel: false })
    await scene.make({
      output_format: 'json',
      output_schema: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
      analysis_output: { text: '{{content}}' },
    })
    expect(await scene.fail({}, { content: `${'a'.repeat(40)}!` })).toMatchObject({
      code: 'INVALID_STEP',
      message: 'The schema cannot be used: validating against it takes too long.',
    })
  })

  test('is measured when the model never responds as needed, with a warning', async () => {
    await using scene = await openAgentsScene()
    await scene.make({
      ...configured({ retry_limit: 1 }),
      output_format: 'json',
      output_schema: {
        type: 'object',
        required: ['words'],
        properties: { words: { type: 'integer' } },
        additionalProperties: false,
      },
      analysers: [{ analyser: 'length' }],
      analysis_output: { words: '{{analysis.length.words}}' },
    })
    scene.openai.script(says('no JSON'), says({ words: 'two' }))
    const result = await scene.run({})
    expect(result).toMatchObject({
      output: { words: 2, method: 'analysis' },
      details: { method: 'analysis' },
      usage: { provider: 'builtin', aiCalls: 2, inputTokens: 200 },
    })
    expect(scene.seen.warnings).toEqual(['agent_used_analysis'])
    expect(scene.seen.logs.at(-1)).toContain('does not satisfy the schema')

    // An attempt that the step repeats is not the last word of the model.
    scene.openai.script(says('no JSON'), says('no JSON'))
    const retried = { retry_config: { max_attempts: 2, retry_on_validation_failure: true } }
    expect(await scene.fail(retried)).toMatchObject({ code: 'VALIDATION_FAILED' })
    scene.openai.script(says('no JSON'), says('no JSON'))
    expect((await scene.run(retried, { attempt: 2 })).output).toMatchObject({ method: 'analysis' })

    // The analysers are not used where the built-in provider is excluded.
    scene.openai.script(says('no JSON'), says('no JSON'))
    expect(await scene.fail({}, { avoided: ['builtin'] })).toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('keeps the failure of the model when the measured output fails its checks, too', async () => {
    await using scene = await openAgentsScene()
    await scene.make({
      analysers: [{ analyser: 'length' }],
      analysis_output: 'Measured: {{analysis.length.words}}',
      checks: [{ check: 'max_length', most: 4 }],
    })
    scene.openai.script(says('much too long'))
    expect(await scene.fail({})).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'max_length', found: 13 }] },
    })
    expect(scene.seen.warnings).toEqual([])
  })

  test('passes its checks, or the model gets the errors, or the step fails', async () => {
    await using scene = await openAgentsScene()
    await scene.make({
      ...asJson,
      ...configured({ retry_limit: 2 }),
      checks: [
        { check: 'max_length', field: 'outcome', most: 4 },
        { check: 'required_fields', fields: ['score'], on_failure: 'warn' },
      ],
    })
    scene.openai.script(says({ outcome: 'much too long' }))
    scene.openai.script(says({ outcome: 'good' }))
    const result = await scene.run({})
    expect(result).toMatchObject({
      output: { outcome: 'good', method: 'model' },
      // Half of the checks pass, and the model is called once more.
      confidence: 0.45,
      details: {
        checks: [
          { check: 'max_length', field: 'outcome', passed: true, expected: 4, found: 4, on_failure: 'fail' },
          { check: 'required_fields', field: 'score', passed: false, on_failure: 'warn' },
        ],
      },
    })
    expect(questions(scene)[1]?.slice(-2)).toEqual([
      { role: 'assistant', content: '{"outcome":"much too long"}' },
      {
        role: 'user',
        content:
          'That is not what is needed yet:\n- max_length of outcome: expected 4, found 13\nAnswer again, in full and in the same form.',
      },
    ])
    for (const _ of [1, 2, 3]) scene.openai.script(says({ outcome: 'much too long' }))
    expect(await scene.fail({}, { attempt: 2 })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'max_length', found: 13 }] },
      usage: { aiCalls: 3 },
    })
  })

  test('is compared with the quality threshold of the execution', async () => {
    await using scene = await openAgentsScene()
    await scene.make({ ...asJson, content_field: 'outcome' })
    const poor = `${'incomprehensibilities notwithstanding institutionalisation '.repeat(20)}.`
    scene.openai.script(says({ outcome: poor }))
    expect((await scene.run({})).quality).toBeLessThan(80)
    scene.openai.script(says({ outcome: poor }))
    const wanting = { options: { ai_options: { quality_threshold: 90 } }, attempt: 2 }
    expect(await scene.fail({}, wanting)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'quality_threshold', expected: 90 }] },
    })
  })

  test('has the confidence the model reports', async () => {
    await using scene = await openAgentsScene()
    await scene.make({ output_format: 'json', output_schema: { type: 'object' } })
    scene.openai.script(says({ confidence: 0.7 }))
    expect(await scene.run({})).toMatchObject({ confidence: 0.7, decision: { decision: 'completed' } })
  })
})
