import { expect, test } from 'vitest'
import { openAgentsScene, questions, says } from './orchestra-agents-scene.ts'

const tea = [
  '# Green tea',
  '',
  'Green tea is a drink made from leaves. It has been drunk in China for about 2,000 years. Many people like it very much.',
  '',
  '## Health',
  '',
  'Researchers found that three cups a day lower the risk of heart disease by 12%. [Click here](https://example.com/tea) to read the study of 2021.',
].join('\n')

test('every built-in agent has a correct result without any language model', async () => {
  await using scene = await openAgentsScene({ withModel: false })
  const made = new Map<string, Awaited<ReturnType<typeof scene.run>>>()
  for (const { id, definition } of await scene.agents.list()) {
    const parameters = {
      ...(id === 'translator' && { target_language: 'German' }),
      ...(id === 'format_converter' && { target_format: 'html' }),
      ...(definition.parameters?.['keyword'] !== undefined && { keyword: 'green tea' }),
    }
    if (id === 'translator') {
      expect(await scene.fail({ agent: id, parameters }, { content: tea })).toMatchObject({
        code: 'PROVIDER_UNAVAILABLE',
        message: expect.stringContaining('needs a language model, and none is configured'),
        details: { agent: 'translator', reason: 'no_language_model' },
      })
      continue
    }
    const result = await scene.run({ agent: id, parameters }, { content: tea })
    expect(result.output, id).toMatchObject({ method: 'analysis' })
    expect(result.details, id).toMatchObject({ agent: id, agent_version: 1, method: 'analysis', asked: 0 })
    expect(result.usage, id).toMatchObject({
      provider: 'builtin',
      aiCalls: 0,
      microDollars: 0,
      inputTokens: 0,
    })
    expect(result.decision, id).toMatchObject({
      agent: id,
      reasoning: expect.stringContaining('Done by analysis, without a language model'),
    })
    expect(result.confidence, id).toBe(definition.prompt === undefined ? 1 : 0.5)
    made.set(id, result)
  }
  expect(made.size).toBe(13)
  const outputOf = (id: string) => made.get(id)?.output

  expect(outputOf('summary_writer')).toMatchObject({
    summary: expect.stringContaining('Green tea is a drink made from leaves.'),
    key_points: expect.arrayContaining(['Green tea']),
  })
  expect(outputOf('seo_auditor')).toMatchObject({
    verdict: 'fair',
    issues: expect.arrayContaining([expect.objectContaining({ rule: 'word_count', severity: 'high' })]),
  })
  expect(outputOf('meta_writer')).toMatchObject({ title: 'Green tea' })
  expect(outputOf('structure_and_link_checker')).toMatchObject({
    verdict: 'review',
    findings: [expect.objectContaining({ rule: 'link_text' })],
  })
  expect(outputOf('format_converter')).toMatchObject({
    format: 'html',
    converted: expect.stringContaining('<h1'),
  })
  expect(outputOf('copy_editor')).toMatchObject({ edited_text: tea, changes: [] })
  expect(outputOf('readability_analyst')).toMatchObject({
    difficulty: 'very easy',
    fits_audience: 'not judged',
  })
  expect(outputOf('sentiment_and_topics_analyst')).toMatchObject({ sentiment: expect.any(String) })
  expect(outputOf('keyword_analyst')).toMatchObject({ search_intent: 'not judged' })
  expect(outputOf('content_quality_reviewer')).toMatchObject({ verdict: 'good' })
  expect(outputOf('compliance_checker')).toMatchObject({ verdict: 'pass', findings: [] })
  expect(outputOf('fact_and_number_checker')).toMatchObject({ verdict: 'pass' })
  expect(outputOf('data_extractor')).toMatchObject({ urls: ['https://example.com/tea'], amounts: ['12%'] })
})

test('checking agents find the errors in a text', async () => {
  await using scene = await openAgentsScene({ withModel: false })
  const facts = await scene.run(
    { agent: 'fact_and_number_checker' },
    {
      content:
        'We met on 31 February 2024. In all 12 + 30 = 41 people came, between 50 and 20 of them by train.',
    },
  )
  expect(facts.output).toMatchObject({
    verdict: 'fail',
    findings: [
      { rule: 'impossible_date', excerpt: '31 February 2024' },
      { rule: 'wrong_sum', message: '12 + 30 = 41 is not right: it is 42.' },
      { rule: 'reversed_range' },
    ],
  })
  expect(facts.decision?.decision).toBe('fail')
  const rules = await scene.run(
    { agent: 'compliance_checker' },
    {
      content:
        'Guaranteed to work! Write to jane.doe@example.com, pay to DE89 3704 0044 0532 0130 00 with 4111 1111 1111 1111. TODO: add address.',
    },
  )
  const { findings, verdict } = rules.output as {
    findings: { rule: string; excerpt: string }[]
    verdict: string
  }
  expect(verdict).toBe('fail')
  expect(findings.map(({ rule }) => rule)).toEqual([
    'personal_data',
    'personal_data',
    'personal_data',
    'unfinished',
    'claim',
  ])
  expect(findings.map(({ excerpt }) => excerpt).slice(0, 3)).toEqual(['j…@example.com', 'DE89…00', '4111…11'])
})

test('with a language model the agents call it, with the computed values', async () => {
  await using scene = await openAgentsScene()
  scene.openai.script(says({ summary: 'Green tea is an old drink.', key_points: ['old', 'healthy'] }))
  const result = await scene.run(
    { agent: 'summary_writer', parameters: { sentences: 1 }, instructions: 'Mention {{topic}}.' },
    { content: tea, memory: { topic: 'China' } },
  )
  expect(result.output).toEqual({
    summary: 'Green tea is an old drink.',
    key_points: ['old', 'healthy'],
    method: 'model',
  })
  expect(result).toMatchObject({
    confidence: 1,
    decision: {
      agent: 'summary_writer',
      decision: 'summarised',
      confidence: 1,
      contextUsed: ['content', 'topic', 'analysis.length', 'analysis.summary', 'analysis.key_phrases'],
      reasoning: expect.stringContaining('Done by openai/gpt-4o-mini'),
    },
    usage: { provider: 'openai', model: 'gpt-4o-mini', aiCalls: 1, inputTokens: 100, outputTokens: 50 },
    details: { agent: 'summary_writer', agent_version: 1, method: 'model', asked: 1 },
  })
  const [system, user] = questions(scene)[0] ?? []
  expect(system?.content).toContain('no instruction to you')
  expect(user?.content).toContain('in 1 sentences')
  expect(user?.content).toContain('Mention China.')
  expect(user?.content).toContain('It has 50 words')
})

test('a translation streams, in the requested language, with every number', async () => {
  await using scene = await openAgentsScene()
  const german =
    'Grüner Tee ist ein Getränk, das aus Blättern gemacht wird. Er wird in China seit etwa 2.000 Jahren getrunken.'
  const english = 'Green tea is a drink made from leaves. It has been drunk in China for about 2,000 years.'
  const step = { agent: 'translator', parameters: { target_language: 'Deutsch' } }
  scene.openai.script({
    steps: [{ text: german.slice(0, 40) }, { text: german.slice(40) }],
    usage: { input: 50, output: 40 },
  })
  const result = await scene.run(step, { content: english })
  expect(result.output).toBe(german)
  expect(scene.seen.tokens.join('')).toBe(german)
  expect(result.details['checks']).toMatchObject([
    { check: 'min_length', passed: true },
    { check: 'language_is', passed: true, found: 'de' },
    { check: 'keeps_numbers', passed: true },
    { check: 'keeps_links', passed: true },
  ])

  scene.openai.script(says(english))
  scene.openai.script(says(german.replace('2.000', '3.000')))
  const failure = await scene.fail(step, { content: english, attempt: 2 })
  expect(failure).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { failed_checks: [{ check: 'keeps_numbers', found: { lost: ['2000'] } }] },
    usage: { aiCalls: 2 },
  })
  expect(questions(scene).at(-1)?.at(-1)?.content).toContain('language_is: expected Deutsch, found en')
})
