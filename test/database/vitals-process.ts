import { tmpdir } from 'node:os'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { createVitals } from '#kernel/vitals'

/** A process of its own that answers ten requests and ends in good order. */

const log = createLogger({ level: 'error', format: 'json' })
const database = await openDatabase({ settings: readSettings(databaseSettings, process.env), log })
const vitals = createVitals({ database, log, gauges: [], settings: { dataDir: tmpdir() } })
for (let times = 0; times < 10; times += 1) {
  vitals.answered({ interfaceName: 'workflows', status: 200, ms: 1000, left: false, streamed: false })
}
await vitals.close()
await database.close()
