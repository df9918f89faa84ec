import { expect, test } from 'vitest'
import { bundledTexts } from './bundled-texts.ts'
import { chooseLanguage } from './choose-language.ts'
import { englishTexts, textKeys } from './texts.ts'

test.each([
  ['de', ['en', 'de'], 'de'],
  ['de-AT', ['en', 'de'], 'de'],
  ['pt_BR', ['pt', 'pt-br'], 'pt-br'],
  ['zh-Hant-TW', ['en', 'zh-hans'], 'zh-hans'],
  ['zh', ['zh-hans', 'zh-hant'], 'zh-hans'],
  ['fi', ['en', 'de'], undefined],
  ['', ['en'], undefined],
])('a page in %s and tours in %j: %s', (wanted, available, chosen) => {
  expect(chooseLanguage(wanted, available)).toBe(chosen)
})

test('the player comes with eleven languages', () => {
  expect(Object.keys(bundledTexts).toSorted()).toEqual(
    ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'zh'].toSorted(),
  )
})

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted()

test.each(Object.entries(bundledTexts))(
  'the texts in %s are complete, with their values',
  (language, texts) => {
    expect(Object.keys(texts).toSorted()).toEqual(textKeys.toSorted())
    for (const key of textKeys)
      expect([key, placeholders(texts[key])]).toEqual([key, placeholders(englishTexts[key])])
    if (language !== 'en') expect(texts.next).not.toBe(englishTexts.next)
  },
)
