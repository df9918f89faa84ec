import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { addCallers, type Callers, type CallersOptions } from './accounts.ts'
import { openPlatform, type PlatformInProcess } from './platform.ts'

/** The platform that the test files of a worker share, with the accounts of one file. */
export interface SharedPlatform extends PlatformInProcess {
  readonly callers: Callers
}

let opening: Promise<PlatformInProcess> | undefined

/**
 * Opens the platform when the first file of a worker needs it; the next files find it running, which takes 30 ms in place of two
 * seconds. The process of the worker closes it. It is for files that depend neither on all accounts or records together, nor on settings
 * of the operator, nor on restarts. The accounts belong to one file: their usernames end with a random text.
 */
export async function sharePlatform(
  permissionsOf: CallersOptions['permissionsOf'] = {},
): Promise<SharedPlatform> {
  opening ??= openPlatform(
    {
      TUTTI_CUSTOM_TIER: '1000000,100,1000',
      TUTTI_EXECUTION_CONCURRENCY: '20',
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      TUTTI_SECRET: 'a secret that only tests know, and long enough',
      TUTTI_DATA_DIR: tmpdir(),
      TRUSTED_PROXIES: '127.0.0.1',
      // Nothing listens there.
      RUNTIME_NODE_URL: 'http://127.0.0.1:9',
      NODE_ENV: 'test',
    },
    { maintenance: false },
  )
  const platform = await opening
  const callers = await addCallers(platform.database, { permissionsOf, scope: randomUUID().slice(0, 8) })
  return { ...platform, callers, close: keepOpen, [Symbol.asyncDispose]: keepOpen }
}

/** The next file uses the platform again. */
async function keepOpen(): Promise<void> {}
