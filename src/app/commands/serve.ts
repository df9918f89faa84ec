import { createLogger } from '#kernel/telemetry'
import { startPlatform } from '../main.ts'
import type { Role } from '../role.ts'
import { readPlatformSettings } from '../settings.ts'
import { stopSignal } from '../stop-signal.ts'
import { writeBanner } from './banner.ts'

/** `tutti serve`: runs until it is asked to stop. */
export async function serve(role: Role): Promise<void> {
  const settings = readPlatformSettings(process.env)
  const log = createLogger({ level: settings.telemetry.logLevel, format: settings.telemetry.logFormat })
  const stopped = stopSignal()
  const platform = await startPlatform({ settings, role, log })
  console.log(writeBanner(platform, { role, startupMs: performance.now() }))
  await stopped
  console.log('Stopping …')
  await platform.close()
  console.log('Stopped.')
}
