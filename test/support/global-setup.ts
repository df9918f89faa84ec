import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, embeddedDatabaseUrl, migrate, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { migrationSets } from '../../src/app/migrations.ts'
import { copyDatabase } from './data-folder.ts'
import { ensureProgramBuilt } from './program.ts'
import { quickFolder } from './quick-folder.ts'
import { markedPrefix } from './run-mark.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this test run, by its maintenance database. */
    readonly databaseServerUrl: string
    /** A database with all migrations, to be copied. */
    readonly templateDatabase: string
    /** A data folder with an unused database, to be copied. */
    readonly madeDataFolder: string
  }
}

const templateDatabase = 'tutti_template'

const log = createLogger({ level: 'error', format: 'json' })

/** Bundles the program that tests start, and starts the PostgreSQL of the run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const [stopDatabase] = await Promise.all([startDatabase(project), ensureProgramBuilt()])
  return stopDatabase
}

/** Starts one PostgreSQL for the whole run and prepares the template that every test database is copied from. */
async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const madeDataFolder = await makeFolder()
  const dataDir = await makeFolder()
  await makeDatabase(madeDataFolder)
  await copyDatabase(madeDataFolder, dataDir)
  await allowConnections(dataDir)
  const server = await openDatabase({ settings: settingsFor({ TUTTI_DATA_DIR: dataDir }), log })
  try {
    await tradeSafetyForSpeed(server)
    await prepareTemplate(server, embeddedDatabaseUrl(dataDir, templateDatabase))
  } catch (error) {
    await server.close()
    throw error
  }
  const otherServer = process.env['TUTTI_TEST_SERVER']
  if (otherServer !== undefined) await prepareOther(otherServer)
  project.provide('databaseServerUrl', otherServer ?? embeddedDatabaseUrl(dataDir, 'postgres'))
  project.provide('templateDatabase', templateDatabase)
  project.provide('madeDataFolder', madeDataFolder)
  return async () => {
    await server.close()
    for (const folder of [dataDir, madeDataFolder]) await rm(folder, { recursive: true, force: true })
  }
}

/** Sibling folders: started by root, PostgreSQL runs as another user, who cannot enter a folder inside a folder of root. */
async function makeFolder(): Promise<string> {
  return await mkdtemp(join(await quickFolder(), markedPrefix('server')))
}

/**
 * The limit of an embedded database is meant for one platform. Five workers have five shared platforms and those of the current files,
 * with up to twelve connections each.
 */
async function allowConnections(dataDir: string): Promise<void> {
  await appendFile(join(dataDir, 'postgres', 'postgresql.conf'), '\nmax_connections = 600\n')
}

function settingsFor(environment: Record<string, string>) {
  return readSettings(databaseSettings, environment)
}

async function makeDatabase(dataDir: string): Promise<void> {
  const database = await openDatabase({ settings: settingsFor({ TUTTI_DATA_DIR: dataDir }), log })
  await database.close()
}

/** Tests of the database can run on another version of PostgreSQL: an empty server of its own, by the URL of its maintenance database. */
async function prepareOther(url: string): Promise<void> {
  const server = await openDatabase({ settings: settingsFor({ DATABASE_URL: url }), log })
  try {
    // PostgreSQL does not drop a template.
    await server.query(`update pg_database set datistemplate = false where datname = '${templateDatabase}'`)
    await server.query(`drop database if exists ${templateDatabase} with (force)`)
    await prepareTemplate(server, url.replace(/[^/]+$/, templateDatabase))
  } finally {
    await server.close()
  }
}

/** Nothing here has to survive a power cut. */
async function tradeSafetyForSpeed(server: Database): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum']) {
    await server.query(`alter system set ${setting} = off`)
  }
  await server.query('select pg_reload_conf()')
}

async function prepareTemplate(server: Database, url: string): Promise<void> {
  await server.query(`create database ${templateDatabase} template template0`)
  {
    await using template = await openDatabase({ settings: settingsFor({ DATABASE_URL: url }), log })
    await migrate(template, migrationSets, log)
  }
  // A database can be copied only while it has no connections.
  await server.query(`alter database ${templateDatabase} with is_template true allow_connections false`)
}
