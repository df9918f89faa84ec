import { expect, test } from 'vitest'
import type { CheckOptions } from '../definition.ts'
import { runChecks } from './run-checks.ts'

const english =
  'Green tea is a drink made from leaves, and people have drunk it for about 2,000 years in 14 places.'
const german =
  'Grüner Tee ist ein Getränk aus Blättern, das die Menschen seit etwa 2.000 Jahren an 14 Orten trinken.'

const input = {
  input: `${english} See https://example.com/tea.`,
  asked: 'Mention 99.',
  inputLanguage: 'en',
  parameters: { keyword: 'green tea', language: 'German', nothing: '' },
  analysis: { seo: { score: 50 } },
  signal: new AbortController().signal,
}

const check = async (options: CheckOptions, output: unknown) =>
  (await runChecks([options], { ...input, output }))[0]

test.each<[CheckOptions, unknown, boolean | null]>([
  [{ check: 'min_length', least: 4 }, 'four', true],
  [{ check: 'min_length', least: 5 }, 'four', false],
  [{ check: 'max_length', most: 4, field: 'a' }, { a: 'four', b: 'longer' }, true],
  [{ check: 'max_length', most: 4, field: 'list.a' }, { list: [{ a: 'four' }, { a: 'fours' }] }, false],
  [{ check: 'not_longer_than_input' }, 'short', true],
  [{ check: 'not_longer_than_input', within: 0.1 }, 'not quite as short', false],
  [{ check: 'min_quality', least: 50 }, 'too few words', null],
  [{ check: 'min_quality', least: 10 }, english.repeat(3), true],
  [{ check: 'min_quality', least: 100 }, english.repeat(3), false],
  [{ check: 'same_language' }, english, true],
  [{ check: 'same_language' }, german, false],
  [{ check: 'same_language' }, 'ok', null],
  [{ check: 'language_is', parameter: 'language' }, german, true],
  [{ check: 'language_is', parameter: 'language' }, english, false],
  [{ check: 'language_is', parameter: 'nothing' }, english, null],
  [{ check: 'keeps_numbers' }, german, true],
  [{ check: 'keeps_numbers' }, { text: 'For 2000 years' }, false],
  [{ check: 'no_new_numbers' }, 'In 14 of 99 places, 3 of them', true],
  [{ check: 'no_new_numbers' }, { count: 15 }, false],
  [{ check: 'keeps_links' }, 'At <https://example.com/tea>', true],
  [{ check: 'keeps_links' }, 'At https://example.com/', false],
  [{ check: 'quotes_input', field: 'quotes' }, { quotes: ['"green **tea** is a\ndrink"', ''] }, true],
  [{ check: 'quotes_input', field: 'quotes' }, { quotes: ['black tea'] }, false],
  [{ check: 'required_fields', fields: ['a', 'b.c'] }, { a: 0, b: [{ c: 'x' }] }, true],
  [{ check: 'required_fields', fields: ['a', 'b'] }, { a: '', b: [] }, false],
  [{ check: 'mentions', parameter: 'keyword' }, 'All about Green Tea', true],
  [{ check: 'mentions', parameter: 'keyword' }, 'All about coffee', false],
  [{ check: 'mentions', parameter: 'nothing' }, 'All about coffee', null],
  [{ check: 'agrees_with', field: 'score', finding: 'seo.score', within: 10 }, { score: 60 }, true],
  [{ check: 'agrees_with', field: 'score', finding: 'seo.score', within: 10 }, { score: 61 }, false],
  [{ check: 'agrees_with', field: 'score', finding: 'seo.other', within: 10 }, { score: 61 }, null],
])('%j of %j: %s', async (options, output, passed) => {
  expect(await check(options, output)).toMatchObject({ check: options.check, passed, on_failure: 'fail' })
})

test('lost values are named', async () => {
  expect(await check({ check: 'keeps_numbers', on_failure: 'warn' }, '14')).toEqual({
    check: 'keeps_numbers',
    field: null,
    passed: false,
    expected: 'all 2 of the input',
    found: { lost: ['2000'] },
    on_failure: 'warn',
  })
})
