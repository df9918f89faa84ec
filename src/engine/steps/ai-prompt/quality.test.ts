import { describe, expect, test } from 'vitest'
import { asScore, scoreQuality } from './quality.ts'

const plain =
  'The kettle is on. We wait for the water to boil. Then we pour it over the leaves. The tea is ready in three minutes. We drink it by the window and look at the rain. It is a good day to stay at home and read a book about the sea.'
const heavy =
  'Notwithstanding considerable organisational interdependencies, comprehensive infrastructural modernisation necessitates unprecedented interdepartmental collaboration, simultaneously accommodating heterogeneous stakeholder expectations, multidimensional accountability requirements and incommensurable evaluative methodologies throughout institutional implementation.'

describe('the quality of a text', () => {
  test('is high for a text that is easy to read, well structured and long enough', async () => {
    const { score, checks } = await scoreQuality(plain)
    expect(score).toBeGreaterThan(90)
    expect(checks.map(({ check }) => check)).toEqual(['readability', 'structure', 'length', 'language'])
    expect(checks.every(({ why }) => why !== '')).toBe(true)
  })

  test('is the weighted mean of its checks', async () => {
    const { score, checks } = await scoreQuality(heavy)
    const by = Object.fromEntries(checks.map((it) => [it.check, it.score ?? Number.NaN]))
    const [readability = 0, structure = 0, length = 0, language = 0] = [
      by['readability'],
      by['structure'],
      by['length'],
      by['language'],
    ]
    expect(readability).toBe(35)
    expect(score).toBeCloseTo((4 * readability + 3 * structure + 2 * length + language) / 10, 0)
  })

  test('is unknown for a few words', async () => {
    expect(await scoreQuality('positive')).toMatchObject({ score: null })
    expect(await scoreQuality('')).toMatchObject({ score: null })
  })

  test('is scored by the requested checks only', async () => {
    const { score, checks } = await scoreQuality(`${plain} This is terrible, awful, ugly and sad.`, {
      checks: ['sentiment', 'seo'],
    })
    expect(checks.map(({ check }) => check)).toEqual(['sentiment', 'seo'])
    expect(score).not.toBeNull()
  })

  test('depends on the expected language', async () => {
    const checks = ['language'] as const
    expect(await scoreQuality(plain, { checks, language: 'en-GB' })).toMatchObject({ score: 100 })
    expect(await scoreQuality(plain, { checks, language: 'English' })).toMatchObject({ score: 100 })
    expect(await scoreQuality(plain, { checks, language: 'de' })).toMatchObject({
      score: 0,
      checks: [{ why: 'The language is English, expected "de".' }],
    })
  })

  test('decreases with every finding about its structure', async () => {
    const jumpy = `# Tea\n\n${plain}\n\n#### Deep\n\n${plain}\n\n# Again\n\n${plain}`
    const { checks } = await scoreQuality(jumpy, { checks: ['structure'] })
    expect(checks).toMatchObject([{ score: 70 }])
  })
})

test('a threshold up to 1 is a fraction of 100', () => {
  expect([0, 0.75, 1, 60, 100].map(asScore)).toEqual([0, 75, 100, 60, 100])
})
