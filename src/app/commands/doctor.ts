import { createLogger } from '#kernel/telemetry'
import { channelsOf } from '#notices'
import { clusterOptionsOf } from '../cluster-service.ts'
import { checkConsole } from '../doctor/check-console.ts'
import { checkDatabase } from '../doctor/check-database.ts'
import { checkFolder } from '../doctor/check-folder.ts'
import { checkMail } from '../doctor/check-mail.ts'
import { checkNode } from '../doctor/check-node.ts'
import { checkNodes } from '../doctor/check-nodes.ts'
import { checkPort } from '../doctor/check-port.ts'
import { checkSettings } from '../doctor/check-settings.ts'
import type { Finding } from '../doctor/finding.ts'
import { placesOf } from '../places.ts'
import { besideRunning } from '../running-platform.ts'
import { readPlatformSettings } from '../settings.ts'

const marks = { good: '✓', note: '!', bad: '✗' } as const

/** `tutti doctor`: looks at everything a start needs and says what to do. Answers whether nothing is in the way. */
export async function runDoctor(): Promise<boolean> {
  const { environment, running } = besideRunning(process.env)
  const settings = readPlatformSettings(environment)
  const log = createLogger({ level: 'silent', format: 'json' })
  const { database } = settings
  const places = placesOf(settings)
  const checks: (() => Finding[] | Promise<Finding[]>)[] = [
    () => [checkNode()],
    () => checkSettings(process.env, running),
    async () => (database.databaseUrl === undefined ? [await checkFolder(database.dataDir)] : []),
    () => checkDatabase(database, log),
    () => [checkConsole()],
    () => Promise.all([places.platform, places.cluster, places.metrics].map(checkPort)),
    () => checkNodes(clusterOptionsOf(settings)),
    () => checkMail(channelsOf(settings.notices)),
  ]
  let well = true
  for (const check of checks) {
    for (const { verdict, text, advice } of await check()) {
      console.log(`${marks[verdict]} ${text}`)
      if (advice !== undefined) console.log(`  → ${advice}`)
      if (verdict === 'bad') well = false
    }
  }
  console.log(well ? '\nNothing is in the way.' : '\nTutti cannot start until the lines marked ✗ are mended.')
  return well
}
