import { expect, inject, test } from 'vitest'
import { createDataFolder, type DataFolder } from '../support/data-folder.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'

const file = new URL('../fixtures/database-process.ts', import.meta.url)

function startWriter(folder: DataFolder): Promise<RunningProcess> {
  return startProcess({
    file,
    args: ['write'],
    env: { TUTTI_DATA_DIR: folder.path, DATABASE_URL: undefined },
  })
}

/** The last one may have been cut off by the kill; a line counts only when it is whole. */
function acknowledgedIds(writer: RunningProcess): number[] {
  return writer.stdout
    .map((line) => /^ack (\d+), the \d+th$/.exec(line)?.[1])
    .filter((id) => id !== undefined)
    .map(Number)
}

const rounds = 4

test('kills during commits lose no acknowledged row', async () => {
  await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
  const acknowledged: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await using writer = await startWriter(folder)
    await writer.waitForLine(/, the 150th$/)
    // In every second round the server is killed, too, and has to recover from its log. Otherwise it is left as an orphan.
    const server = round % 2 === 0 ? folder.killServer('SIGKILL') : Promise.resolve()
    await Promise.all([writer.kill(), server])
    acknowledged.push(...acknowledgedIds(writer))
  }

  await using database = await folder.open()
  const rows = await database.query<{ id: number }>('select id from acknowledged')
  const kept = new Set(rows.map((row) => row.id))
  expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * 150)
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
})
