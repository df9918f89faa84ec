import { tmpdir } from 'node:os'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createMetricsHistory } from '#kernel/metrics-history'
import { createLogger } from '#kernel/telemetry'

/** A process that serves ten requests and exits cleanly. */

const log = createLogger({ level: 'error', format: 'json' })
const database = await openDatabase({ settings: readSettings(databaseSettings, process.env), log })
const metricsHistory = createMetricsHistory({
  database,
  log,
  gauges: [],
  version: '0.0.0',
  settings: { dataDir: tmpdir() },
})
for (let times = 0; times < 10; times += 1) {
  metricsHistory.recordResponse({
    interfaceName: 'workflows',
    status: 200,
    ms: 1000,
    left: false,
    streamed: false,
  })
}
await metricsHistory.close()
await database.close()
