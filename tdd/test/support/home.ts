import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The home of the tests: the tool reads settings of assistants there and keeps snapshots below it. */
export const testHome = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-tdd-home-')))

/** The environment of everything that runs in a test. */
export const homeEnvironment = { HOME: testHome, XDG_STATE_HOME: join(testHome, '.local/state') } as const

Object.assign(process.env, homeEnvironment)
process.once('exit', () => rmSync(testHome, { recursive: true, force: true }))
