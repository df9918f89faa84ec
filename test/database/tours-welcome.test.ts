import { expect, test } from 'vitest'
import { migrate } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { migrationSets } from '../../src/app/migrations.ts'
import { seedWelcomeTour } from '../../src/tours/welcome/welcome-tour.ts'
import { createTestDatabase } from '../support/test-database.ts'

test('the welcome tour follows the platform until a user changes or deletes it', async () => {
  await using database = await createTestDatabase()
  await migrate(database, migrationSets, createLogger({ level: 'silent', format: 'json' }))
  const read = async () => {
    const [tour] = await database.query<{ label: string; steps: number }>(
      "select label, jsonb_array_length(tips) as steps from tours where id = 'welcome'",
    )
    return tour
  }

  await seedWelcomeTour(database)
  const seeded = await read()
  expect(seeded?.label).toBe('A tour of the console')

  // As an earlier version had seeded it.
  await database.query("update tours set tips = jsonb_build_array(tips -> 0) where id = 'welcome'")
  await seedWelcomeTour(database)
  expect(await read()).toEqual(seeded)

  await database.query("update tours set label = 'Our tour', revision = 2 where id = 'welcome'")
  await seedWelcomeTour(database)
  expect((await read())?.label).toBe('Our tour')

  await database.query("delete from tours where id = 'welcome'")
  await seedWelcomeTour(database)
  expect(await read()).toBeUndefined()
})
