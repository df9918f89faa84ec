import { createPlatform, type Platform } from '../src/app/platform.ts'
import type { PlatformOverrides } from '../src/app/platform-overrides.ts'
import { readPlatformSettings } from '../src/app/settings.ts'
import { quiet as log } from './embedded-database.ts'

/**
 * Runs the server of a platform in a forked process, with the settings of its environment. Sends its URL to the parent, the processor
 * time it has used for each message, and ends at the message `end`.
 */
export async function servePlatform(
  overrides: PlatformOverrides,
  prepare: (platform: Platform, url: string) => Promise<unknown> = async () => undefined,
): Promise<void> {
  const settings = readPlatformSettings({ PORT: '0', METRICS_PORT: '0', ...process.env })
  await using platform = await createPlatform(settings, {
    role: 'api',
    log,
    watchProcess: false,
    ...overrides,
  })
  const { console: url = '' } = await platform.listen()
  await prepare(platform, url)
  const ended = Promise.withResolvers<void>()
  process.on('message', (message) => {
    if (message === 'end') return ended.resolve()
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicroseconds: user + system })
  })
  process.send?.({ url })
  await ended.promise
  process.disconnect?.()
}
