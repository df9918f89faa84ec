import { createLogger } from '#kernel/telemetry'
import { channelsOf } from '#notifications'
import { clusterOptionsOf } from '../cluster-service.ts'
import type { Finding } from '../doctor/finding.ts'
import { checkConsole, checkFolder, checkNode, checkSettings } from '../doctor/installation.ts'
import { checkDatabase, checkMail, checkNodes, checkPort } from '../doctor/services.ts'
import { listenAddressesOf } from '../listen.ts'
import { besideRunning } from '../running-platform.ts'
import { readPlatformSettings } from '../settings.ts'

const marks = { good: '✓', note: '!', bad: '✗' } as const

/** `tutti doctor`: checks everything a start needs and prints how to fix it. Returns whether the platform can start. */
export async function runDoctor(): Promise<boolean> {
  const { environment, running } = besideRunning(process.env)
  const settings = readPlatformSettings(environment)
  const log = createLogger({ level: 'silent', format: 'json' })
  const { database } = settings
  const addresses = listenAddressesOf(settings)
  const checks: (() => Finding[] | Promise<Finding[]>)[] = [
    () => [checkNode()],
    () => checkSettings(process.env, running),
    async () => (database.databaseUrl === undefined ? [await checkFolder(database.dataDir)] : []),
    () => checkDatabase(database, log),
    () => [checkConsole()],
    () => Promise.all([addresses.platform, addresses.cluster, addresses.metrics].map(checkPort)),
    () => checkNodes(clusterOptionsOf(settings)),
    () => checkMail(channelsOf(settings.notifications)),
  ]
  let canStart = true
  for (const check of checks) {
    for (const { outcome, text, advice } of await check()) {
      console.log(`${marks[outcome]} ${text}`)
      if (advice !== undefined) console.log(`  → ${advice}`)
      if (outcome === 'bad') canStart = false
    }
  }
  console.log(
    canStart ? '\nNothing is in the way.' : '\nTutti cannot start until the lines marked ✗ are mended.',
  )
  return canStart
}
