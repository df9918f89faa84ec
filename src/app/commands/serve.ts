import type { SeededAdministrator } from '#identity'
import { createLogger } from '#kernel/telemetry'
import { startPlatform } from '../main.ts'
import type { Role } from '../role.ts'
import { recordRunning } from '../running-platform.ts'
import { readPlatformSettings } from '../settings.ts'
import { writeBanner } from './banner.ts'
import { runUntilStopped } from './run-until-stopped.ts'

/** `tutti serve`: the platform, or the part of it that the role names. */
export async function serve(role: Role): Promise<void> {
  const settings = readPlatformSettings(process.env)
  const log = createLogger({ level: settings.telemetry.logLevel, format: settings.telemetry.logFormat })
  await runUntilStopped(async () => {
    const platform = await startPlatform({ settings, role, log, onFirstAccount: printFirstSignIn })
    const { urls, database } = platform
    const banner = writeBanner({
      name: role === 'all' ? 'Tutti' : `Tutti ${role}`,
      rows: [
        ['Console', urls.console],
        ['API reference', urls.console === undefined ? undefined : `${urls.console}/docs`],
        ['Model cluster', urls.cluster],
        ['Metrics', `${urls.metrics}/metrics`],
        [
          'Database',
          `PostgreSQL ${database.version}, ${database.kind === 'embedded' ? 'embedded' : 'your server'}`,
        ],
      ],
    })
    const { databaseUrl, dataDir } = settings.database
    const recorded = databaseUrl === undefined ? recordRunning(dataDir, process.env, urls) : undefined
    return {
      banner,
      async close() {
        recorded?.[Symbol.dispose]()
        await platform.close()
      },
    }
  })
}

function printFirstSignIn({ username, generatedPassword }: SeededAdministrator): void {
  const how =
    generatedPassword === undefined
      ? `${username}, with the password of TUTTI_ADMIN_PASSWORD`
      : `${username} / ${generatedPassword}   (shown only this once)`
  console.log(`\n  First sign-in  ${how}`)
}
