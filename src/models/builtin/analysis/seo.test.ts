import { expect, test } from 'vitest'
import { createPacer } from '../reading/pacer.ts'
import { readDocument } from '../reading/read-document.ts'
import { findSentences } from '../reading/sentences.ts'
import { seo } from './seo.ts'

async function seoOf(source: string, options: { keyword?: string; title?: string; language?: string } = {}) {
  const pacer = createPacer()
  const { language = 'en', title, keyword } = options
  const read = await readDocument(source, { pacer })
  const document = { ...read, title: title ?? read.title }
  const sentences = await findSentences(document.passages, { language, pacer })
  const found = seo(document, sentences, { keyword, language })
  if ('reason' in found) throw new Error(found.reason)
  return {
    ...found.value,
    passed: Object.fromEntries(found.value.checks.map(({ id, passed }) => [id, passed])),
  }
}

test('a fragment is checked only for its own parts', async () => {
  const { passed, score, keyword } = await seoOf('A short note about nothing.')
  expect(passed).toEqual({ word_count: false, short_paragraphs: true })
  expect(score).toBe(33)
  expect(keyword).toBeNull()
})

test('a page fails the checks of its missing parts', async () => {
  const { passed, title } = await seoOf(
    '<html><body><p>Text</p><img src="a.png"><a href="/x">here</a></body></html>',
  )
  expect(title).toBeNull()
  expect(passed).toEqual({
    title_present: false,
    description_present: false,
    one_h1: false,
    word_count: false,
    short_paragraphs: true,
    link_texts: false,
    image_alts: false,
  })
})

const words = (count: number) => 'Some plain words stand here today. '.repeat(count / 6)

test('a complete page scores a hundred', async () => {
  const body = `<h1>Sourdough bread</h1><p>Sourdough bread takes time. ${words(120)}</p><h2>Feeding the sourdough</h2>
    <p>${words(120)} Sourdough wants flour.</p><p>${words(120)}<a href="/flour">All about flour</a></p><img src="a.png" alt="a loaf">`
  const { passed, score, keyword } = await seoOf(
    `<!doctype html><html><head><title>How to bake sourdough bread at home</title>
     <meta name="description" content="${'Bake sourdough at home with flour, water, salt and a little patience. '.repeat(2)}"></head><body>${body}</body></html>`,
    { keyword: 'Sourdough' },
  )
  expect(passed).toEqual(Object.fromEntries(Object.keys(passed).map((id) => [id, true])))
  expect(Object.keys(passed)).toHaveLength(18)
  expect(score).toBe(100)
  expect(keyword).toEqual({ keyword: 'Sourdough', occurrences: 4, density: 1.07 })
})

test('the score is the share of the weights', async () => {
  const { checks, score } = await seoOf(`# One\n\n# Two\n\n### Three\n\n${words(300)}`, { keyword: 'absent' })
  const sum = (list: typeof checks) => list.reduce((total, { weight }) => total + weight, 0)
  expect(score).toBe(Math.round((100 * sum(checks.filter(({ passed }) => passed))) / sum(checks)))
  expect(score).toBeGreaterThan(0)
  expect(score).toBeLessThan(100)
})

test('a given title replaces the title and the main heading of the text', async () => {
  const { passed, title } = await seoOf('## Part\n\nText.', {
    title: 'A title of about thirty-five letters',
    keyword: 'title',
  })
  expect(title).toBe('A title of about thirty-five letters')
  expect(passed).toMatchObject({ title_present: true, title_length: true, keyword_in_title: true })
  expect(passed).not.toHaveProperty('one_h1')
})

test('wide characters count as two', async () => {
  const { checks } = await seoOf('正文。', { title: '城市图书馆开放了新的阅览室', language: 'zh' })
  expect(checks.find(({ id }) => id === 'title_length')?.message).toContain('is 26 letters wide')
})

test('a keyword of several words is found case-insensitively, in any script', async () => {
  const english = await seoOf('Green tea is good. I drink GREEN TEA daily, not tea that is green.', {
    keyword: 'green Tea',
  })
  expect(english.keyword).toEqual({ keyword: 'green Tea', occurrences: 2, density: 28.57 })
  const chinese = await seoOf('图书馆很大。我喜欢图书馆。', { keyword: '图书馆', language: 'zh' })
  expect(chinese.keyword?.occurrences).toBe(2)
})

test('a keyword without words is ignored', async () => {
  expect((await seoOf('Text.', { keyword: ' … ' })).keyword).toBeNull()
})
