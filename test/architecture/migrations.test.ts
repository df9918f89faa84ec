import { expect, test } from 'vitest'
import { compatibilityOf, programLevel, readMigrationFiles } from '#kernel/database'
import { migrationSets } from '../../src/app/migrations.ts'

/**
 * Files from before migrations had marks, which cannot be changed any more. Every program with levels knows them, so no running
 * replica meets them as newer ones. A new file does not belong here: it gets a mark.
 */
const beforeMarks = new Set([
  'engine/0004-speed',
  'engine/0005-plain-texts',
  'engine/0006-outbox',
  'engine/0013-gates',
  'identity/0002-credentials',
  'identity/0003-api-key-limits',
  'models/0007-key-budgets',
  'tours/0002-recipes',
  'triggers/0002-signals',
])

const files = await readMigrationFiles(migrationSets)
const named = files.map((file) => [`${file.owner}/${file.name}`, file] as const)

test.each(named.filter(([name]) => !beforeMarks.has(name)))(
  '%s works with running replicas of the previous release, or says from which level',
  (_, file) => {
    const { minSupported, unmarked } = compatibilityOf(file)
    // docs/decisions/0018-expand-then-contract.md tells which mark these statements need.
    expect(unmarked).toEqual([])
    expect(minSupported, 'programLevel is lower than the level that the migration names').toBeLessThanOrEqual(
      programLevel,
    )
  },
)

test('the files from before marks exist and would need one', () => {
  const needed = named.filter(([, file]) => compatibilityOf(file).unmarked.length > 0).map(([name]) => name)
  expect(needed.sort()).toEqual([...beforeMarks].sort())
})
