import { expect, test } from 'vitest'
import { readAll } from './read-all.ts'

test.each([0, 3, 200, 401])('reads all of %i rows, in order', async (total) => {
  const rows = Array.from({ length: total }, (_, index) => index)
  const read = await readAll(async ({ limit, page }) => ({
    data: rows.slice((page - 1) * limit, page * limit),
    total,
  }))
  expect(read).toEqual(rows)
})
