import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { makeNotifications, makeWorker, quiet } from './notifications-worker.ts'

/** Sends notifications in a separate process, until it is killed. */
const database = await openDatabase({ settings: readSettings(databaseSettings, process.env), log: quiet })
const environment = { TUTTI_SMTP_URL: process.env['TUTTI_SMTP_URL'] ?? '' }
const worker = makeWorker(database, makeNotifications(database, { environment }), {
  heartbeatMs: 400,
  deadAfterMs: 3000,
  pollMs: 300,
})
await worker.start()

// Ends with its parent process.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 1000)
process.stdout.write('ready\n')
