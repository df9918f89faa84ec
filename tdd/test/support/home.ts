import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The home of the tests of one worker: the tool reads settings of assistants there and keeps snapshots below it. In a folder of
 * the repository, since a worker that is ended cannot remove it.
 */
export const testHome = fileURLToPath(
  new URL(`../../../.cache/tdd-home/${process.env['VITEST_POOL_ID'] ?? '0'}`, import.meta.url),
)
rmSync(testHome, { recursive: true, force: true })
mkdirSync(testHome, { recursive: true })

/** The environment of everything that runs in a test. */
export const homeEnvironment = { HOME: testHome, XDG_STATE_HOME: join(testHome, '.local/state') } as const

Object.assign(process.env, homeEnvironment)
