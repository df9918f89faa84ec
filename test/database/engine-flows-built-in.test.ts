import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltInScene, openBuiltInScene } from './engine-flows-setting.ts'

const article = `# Green tea

Green tea is made from leaves that were not withered. It came from China, and many countries in Asia grow it today.
People drink green tea hot or cold. The taste of green tea depends on the water, the leaves and the time.

## How to make it

Heat the water to eighty degrees. Pour the water over the leaves and wait for two minutes. Good leaves can be used three times.
`

const bureaucratic =
  'Notwithstanding the aforementioned considerations regarding the institutional implementation of interdepartmental communication methodologies, the administration nevertheless necessitates comprehensive documentation concerning organisational responsibilities, particularly considering unprecedented infrastructural complications throughout the international subsidiaries.'

const angry =
  'This is terrible and I hate it. The service was awful, the people were rude, and the food was disgusting. What a horrible, stupid waste of money.'
const pleased =
  'Thank you, this was wonderful. The people were friendly, and we enjoyed the excellent food very much.'

/** The response of a language model. */
const says = (value: unknown) => ({
  steps: [{ text: typeof value === 'string' ? value : JSON.stringify(value) }],
  usage: { input: 100, output: 50 },
})

/** The only warnings of an installation without a language model. */
const measured = new Set(['builtin_fallback_used'])

describe('without a language model', () => {
  let scene: BuiltInScene
  beforeAll(async () => {
    scene = await openBuiltInScene()
  })
  afterAll(() => scene[Symbol.asyncDispose]())

  test('a text is reviewed, and changes are proposed where a check fails', async () => {
    const { error, outputs, warnings } = await scene.run('content_quality_review', { content: bureaucratic })
    expect(error).toBeNull()
    expect(outputs['measure']).toMatchObject({
      language: { code: 'en' },
      readability: { difficulty: 'very difficult' },
    })
    expect(outputs['review']).toContain('## Readability')
    expect(outputs['report']).toContain('**Verdict:** It is difficult to read.')
    expect(outputs['report']).toContain('- readability.difficulty: very difficult')
    expect(outputs['improve']).toContain('## Structure')
    expect(new Set(warnings)).toEqual(measured)
  })

  test('a good text gets only a report', async () => {
    const { error, outputs, ran } = await scene.run('content_quality_review', { content: article })
    expect(error).toBeNull()
    expect(ran).toContain('report')
    expect(ran).not.toContain('improve')
    expect(outputs['verdict']).toMatchObject({ reason: expect.any(String) })
  })

  test('a page is checked for its keyword', async () => {
    const given = { content: article, metadata: { keyword: 'green tea' } }
    const { error, outputs, ran, warnings } = await scene.run('seo_optimisation', given)
    expect(error).toBeNull()
    expect(ran).not.toContain('check_page')
    expect(outputs['check_for_keyword']).toMatchObject({
      seo: { score: expect.any(Number), keyword: { keyword: 'green tea' } },
    })
    expect(outputs['report']).toMatch(/- seo\.score: \d+\n/)
    expect(outputs['suggest']).toContain('## SEO')
    expect(new Set(warnings)).toEqual(measured)
  })

  test('a page without a keyword is checked as a whole', async () => {
    const { error, outputs, ran } = await scene.run('seo_optimisation', { content: article })
    expect(error).toBeNull()
    expect(ran).not.toContain('check_for_keyword')
    expect(outputs['check_page']).toMatchObject({ seo: { keyword: null } })
  })

  test('a text is summarised by its own sentences, and is not marked as translated', async () => {
    const given = { content: article, metadata: { target_language: 'de' } }
    const { error, outputs, warnings } = await scene.run('summarise_and_translate', given)
    expect(error).toBeNull()
    expect(outputs['summarise']).toMatch(/> .*(tea|water)/i)
    expect(outputs['result']).toMatchObject({ code: 'en', summary: expect.stringContaining('Summary') })
    expect(outputs['translate']).toMatch(/^The summary was not translated/)
    expect(new Set(warnings)).toEqual(measured)
  })

  test.each(['', 'Hm.', '日本語の短い文です。'])('a nearly empty text is no failure: %j', async (content) => {
    const ids = [
      'content_quality_review',
      'seo_optimisation',
      'summarise_and_translate',
      'data_extraction_to_json',
      'moderation_with_routing',
      'batch_classification',
    ]
    for (const id of ids) {
      const { error, warnings } = await scene.run(id, { content })
      const others = warnings.filter((warning) => !measured.has(warning))
      expect({ id, error, others }).toEqual({ id, error: null, others: [] })
    }
  })

  test('nothing is translated unless requested', async () => {
    const { error, ran } = await scene.run('summarise_and_translate', { content: article })
    expect(error).toBeNull()
    expect(ran).not.toContain('translate')
  })

  test('a document becomes data, as far as it can be computed', async () => {
    const content = `${article}\nMore: [tea houses](https://tea.example/houses)\n`
    const { error, outputs, ran } = await scene.run('data_extraction_to_json', { content })
    expect(error).toBeNull()
    expect(outputs['record']).toMatchObject({
      language: { code: 'en' },
      structure: {
        headings: [
          { level: 1, text: 'Green tea' },
          { level: 2, text: 'How to make it' },
        ],
        links: [{ text: 'tea houses', url: 'https://tea.example/houses' }],
      },
      extracted: expect.stringContaining('no language model'),
    })
    expect(ran).not.toContain('verify')
  })

  test('a friendly message passes, and an angry one is escalated to a person', async () => {
    const passed = await scene.run('moderation_with_routing', { content: pleased })
    expect(passed.error).toBeNull()
    expect(passed.outputs['approve']).toBe(
      'approved: Its tone is not negative. No language model assessed it.',
    )
    expect(passed.ran).not.toContain('escalate')

    const held = await scene.run('moderation_with_routing', { content: angry })
    expect(held.error).toBeNull()
    expect(held.outputs['urgent_queue']).toMatch(/^urgent review: Its tone is negative or unclear/)
    expect(held.ran).not.toContain('ordinary_queue')
    expect(held.ran).not.toContain('approve')
  })

  test('a message of unknown tone is escalated to a person', async () => {
    const content = 'Das hier ist eine ganz gewöhnliche Nachricht über das Wetter von gestern und heute.'
    const { error, outputs } = await scene.run('moderation_with_routing', { content })
    expect(error).toBeNull()
    expect(outputs['ordinary_queue']).toMatch(/^review: /)
  })

  test('many texts are classified in one batch', async () => {
    const batch = { items: [pleased, angry, article], size: 2, parallel: true }
    const { error, outputs, ran } = await scene.run('batch_classification', {}, { batch })
    expect(error).toBeNull()
    expect(outputs['0.record']).toMatchObject({ language: { code: 'en' }, sentiment: { label: 'positive' } })
    expect(outputs['1.record']).toMatchObject({ sentiment: { label: 'negative' } })
    expect(outputs['1.flag']).toMatch(/^Needs attention: Its tone is negative\./)
    expect(ran).not.toContain('0.flag')
    expect(outputs['2.record']).toMatchObject({ key_phrases: expect.any(Array) })
  })
})

describe('with a language model', () => {
  test('the summary is translated', async () => {
    await using scene = await openBuiltInScene({ languageModel: true })
    scene.openai?.script(says('Green tea is made of leaves.'))
    scene.openai?.script(says({ translation: 'Grüner Tee wird aus Blättern gemacht.', language: 'de' }))
    const given = { content: article, metadata: { target_language: 'de' } }
    const { error, outputs } = await scene.run('summarise_and_translate', given)
    expect(error).toBeNull()
    expect(outputs['translate']).toEqual({
      translation: 'Grüner Tee wird aus Blättern gemacht.',
      language: 'de',
    })
  })

  test('extracted values are checked against the text', async () => {
    await using scene = await openBuiltInScene({ languageModel: true })
    const extracted = { people: [{ name: 'Ada' }], organisations: [], dates: [], amounts: [], contacts: [] }
    scene.openai?.script(says(extracted))
    scene.openai?.script(says({ complete: true, doubtful: [], missing: [] }))
    const { error, outputs } = await scene.run('data_extraction_to_json', { content: article })
    expect(error).toBeNull()
    expect(outputs['record']).toMatchObject({ people: [{ name: 'Ada' }], language: { code: 'en' } })
    expect(outputs['verify']).toMatchObject({ complete: true })
  })

  test('a message is classified by its severity', async () => {
    await using scene = await openBuiltInScene({ languageModel: true })
    scene.openai?.script(
      says({ severity: 8, categories: ['threat'], reason: 'It threatens.', confidence: 0.9 }),
    )
    const severe = await scene.run('moderation_with_routing', { content: pleased })
    expect(severe.outputs['reject']).toBe('rejected: It is assessed as severe. It threatens.')
    scene.openai?.script(says({ severity: 0, categories: [], reason: 'Harmless.', confidence: 0.9 }))
    const harmless = await scene.run('moderation_with_routing', { content: angry })
    expect(harmless.outputs['approve']).toBe('approved: It is assessed as harmless.')
  })

  test('texts get one of the given categories', async () => {
    await using scene = await openBuiltInScene({ languageModel: true })
    scene.openai?.script(says({ category: 'complaint', confidence: 0.95, reason: 'It complains.' }))
    const given = { content: angry, metadata: { categories: ['praise', 'complaint'] } }
    const { error, outputs, ran } = await scene.run('batch_classification', given)
    expect(error).toBeNull()
    expect(ran).toContain('classify_as_given')
    expect(outputs['record']).toMatchObject({ category: 'complaint', sentiment: { label: 'negative' } })
    const asked = JSON.stringify(scene.openai?.lastCall()?.body)
    expect(asked).toContain('praise')
  })
})
