import { describe, expect, test } from 'vitest'
import { echo, serve } from '../http/outbound-support.ts'
import { lastAsked, openAiScene, says } from './engine-ai-scene.ts'

const mini = { ai_options: { model: 'gpt-4o-mini' } }
const tea =
  '# Tea\n\nThe kettle is on. We wait for the water to boil. Then we pour it over the leaves. The tea is ready in three minutes. We drink it by the window and look at the rain. It is a good day to stay at home and read a book about the sea.'
const processing = (...post_processing: object[]) => ({ ...mini, post_processing })
const checking = (min_quality_score: number) =>
  processing({ operation: 'quality_check', checks: ['readability', 'language'], min_quality_score })

describe('a JSON response', () => {
  test('is requested and parsed when the step wants JSON', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('```json\n{"score": 62, "confidence": 0.8,}\n```'))
    const result = await scene.run(processing({ operation: 'format', format: 'json' }))
    expect(lastAsked(scene)).toMatchObject({
      response_format: { type: 'json_object' },
      messages: [{ role: 'system', content: 'Answer with JSON and nothing else.' }, { role: 'user' }],
    })
    expect(result).toMatchObject({ output: { score: 62, confidence: 0.8 }, confidence: 0.8, quality: null })
  })

  test('is requested when the step requires fields', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('{"score": 62}'), says('{"mark": 62}'), says('no JSON'))
    const step = {
      ai_options: { model: 'gpt-4o-mini', system_prompt: 'You are exact.' },
      validation: { required_fields: ['score'] },
    }
    expect((await scene.run(step)).output).toEqual({ score: 62 })
    expect(lastAsked(scene)).toMatchObject({
      response_format: { type: 'json_object' },
      messages: [{ content: 'You are exact.\n\nAnswer with JSON and nothing else.' }, {}],
    })
    expect(await scene.fail(step)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'required_fields', expected: ['score'], found: [] }] },
    })
    expect(await scene.fail(step)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'json', found: 'text' }], output: 'no JSON' },
      usage: { inputTokens: 100 },
    })
  })

  test('is a text when the step does not request JSON', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('{"score": 62}'))
    expect((await scene.run(mini)).output).toBe('{"score": 62}')
    expect(lastAsked(scene)).not.toHaveProperty('response_format')
  })

  test('is found in surrounding text', async () => {
    await using scene = await openAiScene()
    const step = processing({ operation: 'extract_json' })
    scene.openai.script(says('Sure! {"a": [1, 2]} I hope this helps.'), says('I cannot.'))
    expect(await scene.run(step)).toMatchObject({
      output: { a: [1, 2] },
      details: { post_processing_applied: [{ operation: 'extract_json' }] },
    })
    expect(await scene.fail(step)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'extract_json' }] },
    })
  })

  test('is produced by the built-in model, too', async () => {
    await using scene = await openAiScene({ only: ['builtin'] })
    const { output } = await scene.run({
      prompt: `Summary and language: ${tea}`,
      post_processing: [{ operation: 'format', format: 'json' }],
      validation: { required_fields: ['language.code', 'summary[0]'] },
    })
    expect(output).toMatchObject({ language: { code: 'en' }, model: 'builtin:text' })
  })
})

describe('post-processing', () => {
  test('formats, with a table of contents and charts', async () => {
    await using scene = await openAiScene()
    const text =
      '# Prices\n\n| Cup | Price |\n|---|---|\n| small | 1 |\n| large | 2 |\n\n<script>alert(1)</script>'
    scene.openai.script(says(text))
    const { output, details } = await scene.run(
      processing({ operation: 'format', format: 'html', include_toc: true, add_charts: true }),
    )
    expect(output).toMatch(/^<ul>\n<li><a href="#prices"[^>]*>Prices<\/a><\/li>\n<\/ul>\n<h1 id="prices">/)
    expect(output).toContain('<pre><code class="language-text">Price\n\nsmall ███')
    expect(output).not.toContain('script')
    expect(details).toMatchObject({
      post_processing_applied: [{ operation: 'format', format: 'html', toc_entries: 1, charts: 1 }],
    })
  })

  test('formats as Markdown when only extras are requested', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('# A\n\n**b**'))
    const { output } = await scene.run(processing({ operation: 'format', include_toc: true }))
    expect(output).toBe('- [A](#a)\n\n# A\n\n**b**')
  })

  test('removes markup', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('# A\n\n**b** [c](https://c.example)'))
    const { output } = await scene.run(processing({ operation: 'format', format: 'plain_text' }))
    expect(output).toBe('A\n\nb c')
  })

  test('keeps the most relevant sentences', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says(tea))
    const { output, details } = await scene.run(processing({ operation: 'summarize' }))
    expect(details).toMatchObject({ post_processing_applied: [{ operation: 'summarize', sentences: 5 }] })
    expect(tea).toContain(String(output).split('. ')[0])
    expect(String(output).length).toBeLessThan(tea.length)
  })

  test('checks the quality, and fails below the minimum', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says(tea), says(tea))
    const english = { context: { metadata: { language: 'en' } } }
    expect(await scene.run(checking(90), english)).toMatchObject({
      output: tea,
      details: {
        post_processing_applied: [
          {
            operation: 'quality_check',
            score: 100,
            checks: [{ check: 'readability' }, { check: 'language' }],
          },
        ],
      },
    })
    const german = { context: { metadata: { language: 'de' } } }
    expect(await scene.fail(checking(0.9), german)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'min_quality_score', expected: 90, found: 80 }] },
      usage: { outputTokens: 50 },
    })
  })

  test('runs its operations in sequence', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says('Here: {"title": "Tea", "points": ["green", {"black": 2}]}'))
    const { output } = await scene.run(
      processing({ operation: 'extract_json' }, { operation: 'format', format: 'markdown' }),
    )
    expect(output).toBe('## title\n\nTea\n\n## points\n\n- green\n  - **black**: 2')
  })

  test('refuses a text that is too long', async () => {
    await using scene = await openAiScene()
    scene.openai.script({ steps: Array.from({ length: 11 }, () => ({ text: 'x'.repeat(100_000) })) })
    expect(await scene.fail(processing({ operation: 'summarize' }))).toMatchObject({ code: 'INVALID_STEP' })
  })
})

describe('validation', () => {
  test('scores the quality of texts, and compares it with the threshold of the execution', async () => {
    await using scene = await openAiScene()
    const jumpy = `${tea}\n\n# Again\n\n#### Deep`
    scene.openai.script(says(tea), says(jumpy))
    expect((await scene.run(mini)).quality).toBeGreaterThan(95)
    const failure = await scene.fail({ ...mini, validation: { quality_threshold: 0.95, min_length: 5000 } })
    expect(failure.details['failed_checks']).toMatchObject([
      { check: 'min_length', expected: 5000, found: jumpy.length },
      { check: 'quality_threshold', expected: 95 },
    ])
  })

  test('compares texts of models with the quality threshold of the execution', async () => {
    await using scene = await openAiScene()
    scene.openai.script(says(`${tea}\n\n# Again\n\n#### Deep`), says('positive'))
    const wanting = { options: { ai_options: { quality_threshold: 95 } } }
    expect(await scene.fail(mini, wanting)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check: 'quality_threshold', expected: 95 }] },
    })
    expect(await scene.run(mini, wanting)).toMatchObject({ output: 'positive', quality: null })
  })

  test('applies to steps of other types', async () => {
    await using scene = await openAiScene()
    await using server = await serve(echo)
    const call = {
      type: 'external_api',
      api: { url: `http://127.0.0.1:${server.port}/a`, method: 'POST', body: { a: 1 } },
    }
    const fields = { validation: { required_fields: ['headers.idempotency-key'] } }
    const { output } = await scene.run({ ...call, ...fields }, { item: 2 })
    expect(output).toMatchObject({ headers: { 'idempotency-key': 'e1/ask/2' } })
    expect(await scene.fail({ ...call, validation: { required_sections: ['nothing'] } })).toMatchObject({
      code: 'VALIDATION_FAILED',
      usage: { networkRequests: 1 },
    })
    const merge = { type: 'data_transform', transformations: [{ operation: 'merge', sources: ['a'] }] }
    expect(
      await scene.fail({ ...merge, validation: { required_fields: ['b'] } }, { memory: { a: { c: 1 } } }),
    ).toMatchObject({ code: 'VALIDATION_FAILED' })
    const decide = {
      type: 'conditional',
      conditions: [{ field: 'a', operator: 'exists', action: { type: 'continue' } }],
    }
    expect(await scene.run({ ...decide, validation: { min_confidence: 1 } })).toMatchObject({ confidence: 1 })
  })
})
