import { expect, test } from 'vitest'
import { loadSyllables } from './text-stats.ts'

test.each([
  ['en', { cat: 1, water: 2, beautiful: 3, readability: 5, a: 1 }],
  ['de', { haus: 1, katze: 2, bäume: 2, quelle: 2, universität: 5, liebe: 2 }],
  ['nl', { huis: 1, vuurtoren: 3, eiland: 2, zee: 1, bibliotheek: 4 }],
  ['es', { agua: 2, bicicleta: 4, leía: 3, ciudad: 2, construyo: 3, guitarra: 3, hoy: 1, búho: 2 }],
  ['pt', { pão: 1, água: 2, coração: 3, quente: 2, janela: 3 }],
  ['fr', { eau: 1, rivière: 2, le: 1, théâtre: 2, créé: 2, quatre: 1, bicyclette: 3 }],
  ['ru', { мост: 1, река: 2, библиотека: 5, в: 1 }],
  ['tr', { köy: 1, ağaç: 2, kütüphane: 4, ışık: 2 }],
])('syllables of %s', async (language, words) => {
  const count = await loadSyllables(language)
  expect(Object.fromEntries(Object.keys(words).map((word) => [word, count?.(word)]))).toEqual(words)
})

test('a language without rules has no counter', async () => {
  expect(await loadSyllables('fi')).toBeUndefined()
})

test('a very long word is counted quickly', async () => {
  const count = await loadSyllables('en')
  expect(count?.('a'.repeat(1_000_000))).toBeGreaterThan(0)
})
