import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { makeWebhooks, makeWorker, quiet } from '../database/webhooks-worker.ts'

/** Delivers webhooks in a separate process, until it is killed. */
const database = await openDatabase({ settings: readSettings(databaseSettings, process.env), log: quiet })
const worker = makeWorker(database, makeWebhooks(database), {
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
