import { expect, test } from 'vitest'
import { similarIds } from './similar-ids.ts'

const ids = ['content_quality_review', 'seo_optimisation', 'summarise_and_translate', 'invoices']

test.each([
  ['content-quality-review', ['content_quality_review']],
  ['seo_optimization', ['seo_optimisation']],
  ['invoice', ['invoices']],
  ['quality_review', ['content_quality_review']],
  ['weather', []],
])('%s', (wanted, found) => {
  expect(similarIds(wanted, ids)).toEqual(found)
})
