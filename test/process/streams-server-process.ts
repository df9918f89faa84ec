import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { startOrchestraServer } from '../http/orchestra-server.ts'
import { createSlowSpeakers } from './streams-steps.ts'

/** Orchestra and Workflows in a process of their own, on the database of DATABASE_URL and the port of PORT. Its steps take their time. */
const url = process.env['DATABASE_URL'] ?? ''
const log = createLogger({ level: 'silent', format: 'json' })
const database = await openDatabase({
  settings: readSettings(databaseSettings, { DATABASE_URL: url, DATABASE_POOL_SIZE: '8' }),
  log,
})
const server = await startOrchestraServer({
  database: { ...database, url },
  runStep: () => createSlowSpeakers(),
  requestsPerHour: 1_000_000,
})
console.log(`ready ${server.url}`)
