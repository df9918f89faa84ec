import type { SeededAdministrator } from '#identity'
import { createPlatform, type PlatformUrls } from '../platform.ts'
import { recordRunning } from '../running-platform.ts'
import { type Role, readPlatformSettings, type Settings } from '../settings.ts'
import { type RunningServer, runUntilStopped, writeBanner } from './run-until-stopped.ts'

/** `tutti serve`: the platform, or the part of it that the role names. */
export async function serve(role: Role): Promise<void> {
  const settings = readPlatformSettings(process.env)
  await runUntilStopped(() => start(settings, role))
}

async function start(settings: Settings, role: Role): Promise<RunningServer> {
  await using closing = new AsyncDisposableStack()
  const platform = closing.use(await createPlatform(settings, { role, onFirstAccount: printFirstSignIn }))
  const urls = await platform.listen()
  const { databaseUrl, dataDir } = settings.database
  if (databaseUrl === undefined) closing.use(recordRunning(dataDir, process.env, urls))
  const opened = closing.move()
  return {
    banner: writeBanner({
      name: role === 'all' ? 'Tutti' : `Tutti ${role}`,
      rows: [...rowsOf(urls), ['Database', describeDatabase(platform.database)]],
    }),
    close: () => opened.disposeAsync(),
  }
}

function rowsOf({ console: url, cluster, metrics }: PlatformUrls): [string, string | undefined][] {
  return [
    ['Console', url],
    ['API reference', url === undefined ? undefined : `${url}/docs`],
    ['Model cluster', cluster],
    ['Metrics', `${metrics}/metrics`],
  ]
}

function describeDatabase({ kind, version }: { kind: 'embedded' | 'server'; version: string }): string {
  return `PostgreSQL ${version}, ${kind === 'embedded' ? 'embedded' : 'your server'}`
}

function printFirstSignIn({ username, generatedPassword }: SeededAdministrator): void {
  const how =
    generatedPassword === undefined
      ? `${username}, with the password of TUTTI_ADMIN_PASSWORD`
      : `${username} / ${generatedPassword}   (shown only this once)`
  console.log(`\n  First sign-in  ${how}`)
}
