import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Environment, readSettings, type Setting } from '#kernel/config'
import { databaseSettings } from '#settings/kernel/database'
import type { PlatformUrls } from './listen.ts'
import { settingsByPart } from './settings.ts'

/** The record a platform keeps in its data folder while it runs, for commands that run beside it with other settings. */
export interface RunningPlatform {
  readonly pid: number
  /** The variables it was started with; the ports are those it listens on. */
  readonly variables: Readonly<Record<string, string>>
  /** Names of secret variables that were set. Their values are not recorded. */
  readonly secrets: readonly string[]
}

const fileIn = (dataDir: string) => join(resolve(dataDir), 'running.json')

/** Records this process as the platform of a data folder, until disposed. */
export function recordRunning(dataDir: string, environment: Environment, urls: PlatformUrls): Disposable {
  const file = fileIn(dataDir)
  const given = givenSettings(environment)
  const running: RunningPlatform = {
    pid: process.pid,
    variables: {
      ...Object.fromEntries(
        given.filter(({ secret }) => !secret).map(({ variable }) => [variable, environment[variable] ?? '']),
      ),
      ...portIn('PORT', urls.console),
      ...portIn('CLUSTER_PORT', urls.cluster),
      ...portIn('METRICS_PORT', urls.metrics),
    },
    secrets: given.filter(({ secret }) => secret).map(({ variable }) => variable),
  }
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(running)}\n`, { mode: 0o600 })
  renameSync(`${file}.${process.pid}`, file)
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) }
}

/** The environment, completed with the variables of the platform that runs on its data folder. */
export function besideRunning(environment: Environment): {
  readonly environment: Environment
  readonly running: RunningPlatform | undefined
} {
  const { databaseUrl, dataDir } = readSettings(databaseSettings, environment)
  const running = databaseUrl === undefined ? readRunning(dataDir) : undefined
  if (running === undefined) return { environment, running }
  const own = new Set(givenSettings(environment).map(({ variable }) => variable))
  const added = Object.entries(running.variables).filter(([variable]) => !own.has(variable))
  return { environment: { ...environment, ...Object.fromEntries(added) }, running }
}

/** The settings an environment sets. An empty variable counts as not set, except for lists, which may be empty. */
export function givenSettings(environment: Environment): readonly Setting<unknown>[] {
  return Object.values(settingsByPart)
    .flatMap((group): readonly Setting<unknown>[] => Object.values(group))
    .filter(
      ({ variable, kind }) =>
        (environment[variable] ?? '') !== '' || (kind === 'list' && variable in environment),
    )
}

/** Undefined: there is no record, or its process has ended. */
function readRunning(dataDir: string): RunningPlatform | undefined {
  try {
    const running = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as RunningPlatform
    return isAlive(running.pid) ? running : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function portIn(variable: string, url: string | undefined): Readonly<Record<string, string>> {
  return url === undefined ? {} : { [variable]: new URL(url).port }
}
