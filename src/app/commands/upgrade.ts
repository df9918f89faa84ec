import { migrationState, openDatabase } from '#kernel/database'
import { Failure, UserError } from '#kernel/errors'
import { listProcessVersions, type ProcessVersion } from '#kernel/metrics-history'
import { createLogger } from '#kernel/telemetry'
import { migrationSets } from '../migrations.ts'
import { readPlatformSettings } from '../settings.ts'
import { version } from '../version.ts'
import { count } from './text.ts'
import { requireFolder } from './with-database.ts'

/** What an upgrade to this program would meet. */
export interface UpgradeState {
  readonly program: string
  /** Undefined when this program cannot use the database; `problem` says why. */
  readonly database: UpgradeDatabase | undefined
  readonly problem: string | undefined
  readonly processes: readonly ProcessVersion[]
}

interface UpgradeDatabase {
  readonly applied: number
  readonly pending: readonly string[]
  /** The pending ones after which an older program may not work. */
  readonly contracting: readonly string[]
  /** Migrations of a later version, with which this program works. */
  readonly newer: number
}

/** The exit codes of `tutti upgrade --check`. */
export const upgradeExitCodes = {
  /** Nothing to do. */
  current: 0,
  /** The database cannot be used: it is newer, unreachable, or its migrations were changed. */
  impossible: 1,
  /** Migrations are pending. */
  pending: 2,
  /** The database is current, but processes of another version run on it. */
  mixed: 3,
} as const

/** `tutti upgrade --check`: prints what an upgrade would do. Changes nothing. Returns the exit code. */
export async function checkUpgrade({ json }: { readonly json?: true }): Promise<number> {
  const state = await readUpgradeState()
  const outcome = outcomeOf(state)
  if (json) console.log(JSON.stringify({ ...describeState(state), outcome }, null, 2))
  else for (const line of writeState(state)) console.log(line)
  return upgradeExitCodes[outcome]
}

async function readUpgradeState(): Promise<UpgradeState> {
  const settings = readPlatformSettings(process.env)
  const log = createLogger({ level: 'silent', format: 'json' })
  let processes: readonly ProcessVersion[] = []
  try {
    await requireFolder(settings.database)
    await using database = await openDatabase({ settings: settings.database, log, embedded: 'join' })
    processes = await listProcessVersions(database)
    const { applied, pending, newer } = await migrationState(database, migrationSets)
    return {
      program: version,
      database: {
        applied: applied.length,
        pending: pending.map(writeName),
        contracting: pending.filter(({ minSupported }) => minSupported !== 0).map(writeName),
        newer: newer.length,
      },
      problem: undefined,
      processes,
    }
  } catch (error) {
    if (!(error instanceof UserError || error instanceof Failure)) throw error
    return { program: version, database: undefined, problem: error.message, processes }
  }
}

function writeName({ owner, name }: { readonly owner: string; readonly name: string }): string {
  return `${owner}/${name}`
}

/** Which of the exit codes applies. */
export function outcomeOf({ program, database, processes }: UpgradeState): keyof typeof upgradeExitCodes {
  if (database === undefined) return 'impossible'
  if (database.pending.length > 0) return 'pending'
  return processes.some((process) => process.version !== program) ? 'mixed' : 'current'
}

/** The report for a person, line by line. */
export function writeState(state: UpgradeState): string[] {
  const { program, database, problem, processes } = state
  const lines = [`Program    Tutti ${program}`]
  if (database === undefined) lines.push('Database   cannot be used by this program')
  else {
    const { applied, pending, contracting, newer } = database
    lines.push(
      `Database   ${count(applied, 'migration')} applied, ${pending.length} pending${newer > 0 ? `, ${newer} of a later version` : ''}`,
    )
    for (const name of pending)
      lines.push(`           ${name}${contracting.includes(name) ? ' (contracts)' : ''}`)
  }
  lines.push(processes.length === 0 ? 'Processes  none' : `Processes  ${processes.length} running`)
  for (const { host, pid, version: running } of processes)
    lines.push(
      `           ${host}, process ${pid}: ${running === null ? 'an older version' : `Tutti ${running}`}`,
    )
  return [...lines, '', ...adviceFor(state, problem)]
}

function adviceFor(state: UpgradeState, problem: string | undefined): string[] {
  const outcome = outcomeOf(state)
  const others = state.processes.filter((process) => process.version !== state.program)
  if (outcome === 'current') return ['Nothing to do: the database is up to date.']
  if (outcome === 'impossible') return [problem ?? 'The database cannot be used.']
  if (outcome === 'mixed') {
    return [
      `The database is up to date, but ${others.length} of the running processes have another version. Restart them with ${state.program}.`,
    ]
  }
  const contracts = (state.database?.contracting.length ?? 0) > 0
  return [
    '1. Make a backup: npx tutti backup FILE --verify',
    others.length === 0
      ? '2. Read "Changed" in the changelog.'
      : contracts
        ? '2. Read "Changed" in the changelog: migrations that contract need running processes of a certain version. Stop older ones first.'
        : '2. Running processes of the older version can stay: every pending migration only adds. Replace them one after the other.',
    `3. Start Tutti ${state.program}, or run npx tutti migrate: both apply the pending migrations. There is no way back except the backup.`,
  ]
}

function describeState({ program, database, problem, processes }: UpgradeState) {
  return {
    program,
    applied_migrations: database?.applied ?? null,
    pending_migrations: database?.pending ?? null,
    contracting_migrations: database?.contracting ?? null,
    later_migrations: database?.newer ?? null,
    problem: problem ?? null,
    processes,
  }
}
