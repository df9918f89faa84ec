import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { startIdempotencyServer } from './idempotency-server.ts'

/** A replica in a separate process. It prints its address and when work is stored; it never responds. */

const database = await openDatabase({
  settings: readSettings(databaseSettings, process.env),
  log: createLogger({ level: 'error', format: 'json' }),
})
const server = await startIdempotencyServer({
  database,
  timing: { leaseMs: Number(process.env['LEASE_MS']) },
  beforeAnswer: async (what) => {
    process.stdout.write(`stored ${what}\n`)
    await new Promise(() => {})
  },
})
process.stdout.write(`${server.url}\n`)

const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 1000)
