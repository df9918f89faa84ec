import { expect, test } from 'vitest'
import { outcomeOf, type UpgradeState, writeState } from './upgrade.ts'

const database = { applied: 12, pending: ['engine/0013-more'], contracting: [], newer: 0 }
const state = (more: Partial<UpgradeState> = {}): UpgradeState => ({
  program: '0.2.0',
  database: { ...database, pending: [] },
  problem: undefined,
  processes: [],
  ...more,
})
const older = { host: 'one', pid: 7, version: '0.1.0' }

test.each([
  ['current', state()],
  ['current', state({ processes: [{ ...older, version: '0.2.0' }] })],
  ['mixed', state({ processes: [older] })],
  ['mixed', state({ processes: [{ ...older, version: null }] })],
  ['pending', state({ database, processes: [older] })],
  ['impossible', state({ database: undefined, problem: 'It is newer.' })],
] as const)('the outcome is %s', (outcome, given) => {
  expect(outcomeOf(given)).toBe(outcome)
})

test('the report names pending migrations, running processes and what to do', () => {
  const lines = writeState(
    state({ database: { ...database, contracting: ['engine/0013-more'] }, processes: [older] }),
  )
  expect(lines).toEqual([
    'Program    Tutti 0.2.0',
    'Database   12 migrations applied, 1 pending',
    '           engine/0013-more (contracts)',
    'Processes  1 running',
    '           one, process 7: Tutti 0.1.0',
    '',
    '1. Make a backup: npx tutti backup FILE --verify',
    '2. Read "Changed" in the changelog: migrations that contract need running processes of a certain version. Stop older ones first.',
    '3. Start Tutti 0.2.0, or run npx tutti migrate: both apply the pending migrations. There is no way back except the backup.',
  ])
  expect(writeState(state({ database: undefined, problem: 'It is newer.' })).at(-1)).toBe('It is newer.')
})

test('the report tells whether running processes can stay', () => {
  expect(writeState(state({ database, processes: [older] }))).toContain(
    '2. Running processes of the older version can stay: every pending migration only adds. Replace them one after the other.',
  )
  expect(writeState(state({ database: { ...database, pending: [], newer: 2 } }))[1]).toBe(
    'Database   12 migrations applied, 0 pending, 2 of a later version',
  )
})
