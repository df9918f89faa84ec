import { randomBytes } from 'node:crypto'
import { Client, DatabaseError } from 'pg'
import { inject } from 'vitest'
import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'

export interface TestDatabaseOptions {
  /** `empty` has no tables at all. Default `migrated`. */
  readonly start?: 'migrated' | 'empty'
  /** Environment variables for the connection, such as DATABASE_POOL_SIZE. */
  readonly environment?: Readonly<Record<string, string>>
}

/** A database of its own, dropped when it is closed. `url` is for child processes, as their DATABASE_URL. */
export interface TestDatabase extends Database {
  readonly url: string
}

/** Copies the template: `await using database = await createTestDatabase()`. */
export async function createTestDatabase({
  start = 'migrated',
  environment = {},
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`
  const template = start === 'migrated' ? inject('templateDatabase') : 'template0'
  // Copying files is the faster strategy when the database is in memory.
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  const url = inject('databaseServerUrl').replace(/[^/]+$/, name)
  const settings = readSettings(databaseSettings, { ...environment, DATABASE_URL: url })
  const database = await openDatabase({ settings, log: createLogger({ level: 'silent', format: 'json' }) })

  async function close(): Promise<void> {
    await database.close()
    await drop(name)
  }
  return { ...database, url, close, [Symbol.asyncDispose]: close }
}

/** Also ends the connections of child processes that a test killed a moment ago. PostgreSQL waits five seconds for them to be gone. */
async function drop(name: string): Promise<void> {
  const attempts = 5
  for (let attempt = 1; ; attempt += 1) {
    try {
      await onServer(`drop database if exists ${name} with (force)`)
      return
    } catch (error) {
      const isInUse = error instanceof DatabaseError && error.code === '55006'
      if (!isInUse || attempt === attempts) throw error
    }
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('databaseServerUrl') })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
