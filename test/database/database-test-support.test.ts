import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/test-database.ts'

test('each test file has a database of its own', async () => {
  await using one = await createTestDatabase()
  await using other = await createTestDatabase()
  await one.query('create table only_here (id int)')

  const [row] = await other.query<{ there: boolean }>(`select to_regclass('only_here') is not null as there`)
  expect(row?.there).toBe(false)
  expect(one.version).toMatch(/^18\./)
})
