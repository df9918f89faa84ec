import { expect, test } from 'vitest'
import { createRequestIds } from './data-path.ts'

test('request ids are unique within and across processes', () => {
  const makers = [createRequestIds(), createRequestIds()]
  const ids = makers.flatMap((next) => Array.from({ length: 1000 }, next))
  expect(new Set(ids).size).toBe(2000)
  for (const id of ids) expect(id).toMatch(/^[\w.:-]{1,128}$/)
})
