import { CompiledQuery } from 'kysely'
import type { Setting, SettingsGroup, SettingsOf } from '#kernel/config'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { kernelFailure, type Problem } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import { liveSettingsFailure } from './errors.ts'
import { encryptValue, readStoredValues, type StoredValue } from './stored-values.ts'

/** An editable setting with its current value. */
export interface SettingState {
  readonly setting: Setting<unknown>
  readonly source: 'environment' | 'stored' | 'default'
  /** The text in use; undefined when nothing is set. Secrets are included: callers must not pass them on. */
  readonly text: string | undefined
  /** The stored row, also while the environment wins over it; undefined without one. */
  readonly stored: StoredValue | undefined
}

/** New texts by variable; null removes the stored value. */
export type SettingChanges = Readonly<Record<string, string | null>>

/** Settings that administrators change at run time. Every process of the platform follows a change within a second. */
export interface LiveSettings extends AsyncDisposable {
  /**
   * The group with current values: each property is read from the environment, else from the stored value, else it is the default. Consumers
   * read properties when they use them; a copied or destructured value does not follow changes.
   */
  view<Group extends SettingsGroup>(group: Group, fixed: SettingsOf<Group>): SettingsOf<Group>
  list(): readonly SettingState[]
  /**
   * Stores all changes or none. Throws `invalid_input` with a problem for each invalid text, `set_by_environment`, and `secret_missing`
   * when a secret cannot be encrypted.
   */
  change(changes: SettingChanges, audit: AuditData): Promise<void>
}

/** The account and client of a change, for its audit event. */
type AuditData = Readonly<Record<string, unknown>> & { readonly by: string | null }

/** Reads a setting as it would be after a change. */
type ReadSetting = (variable: string) => unknown

export interface LiveSettingsOptions {
  readonly database: Database
  readonly encryption: Encryption
  readonly events: Pick<Events, 'appendWithin'>
  readonly log: Logger
  /** All settings; those without `editable` are ignored. */
  readonly groups: readonly SettingsGroup[]
  /** The texts of the variables of the environment. */
  readonly environment: ReadonlyMap<string, string>
  /** Finds settings that contradict each other. `read` returns the value of a variable after the change. */
  readonly check?: (read: ReadSetting) => readonly Problem[]
}

const channel = 'kernel_settings'
const changed = 'settings.changed'
const retryMs = 1000
const maxLength = 10_000

/** The event types of this module, for the audit log. */
export const settingsEventTypes = [changed] as const

/** Reads the stored settings and follows their changes. Throws when the database cannot be read. */
export async function createLiveSettings(options: LiveSettingsOptions): Promise<LiveSettings> {
  const { database, encryption, events, log, groups, environment, check = () => [] } = options
  const settings = new Map(
    groups
      .flatMap((group) => Object.values(group))
      .filter(({ editable }) => editable !== undefined)
      .map((setting) => [setting.variable, setting] as const),
  )
  let stored: ReadonlyMap<string, StoredValue> = new Map()
  let values: ReadonlyMap<string, unknown> = new Map()
  let loading: Promise<void> | undefined
  /** Number of changes, by which a load that started before the last change is recognised as stale. */
  let changes = 0
  let retryTimer: NodeJS.Timeout | undefined
  let isClosed = false

  const isGiven = ({ variable, kind }: Setting<unknown>) => {
    const text = environment.get(variable)
    // As in `readSettings`: an empty variable counts as not set, except for a list.
    return text !== undefined && (text !== '' || kind === 'list')
  }

  async function loadLatest(): Promise<void> {
    try {
      for (;;) {
        const changesBefore = changes
        const read = await readStoredValues({ database, encryption, log, settings })
        if (changesBefore !== changes) continue
        stored = read
        values = new Map([...settings].map(([name, setting]) => [name, valueOf(setting, read)]))
        return
      }
    } finally {
      loading = undefined
    }
  }

  function reload(): Promise<void> {
    changes += 1
    return (loading ??= loadLatest())
  }

  /** The values in use stay until the table can be read again. */
  function follow(): void {
    clearTimeout(retryTimer)
    if (isClosed) return
    reload().catch((error: unknown) => {
      log.warn({ err: error }, 'reading changed settings failed, retrying in 1 s')
      clearTimeout(retryTimer)
      if (!isClosed) retryTimer = setTimeout(follow, retryMs)
    })
  }

  function requireKnown(given: SettingChanges): Setting<unknown>[] {
    const problems: Problem[] = []
    const known = Object.entries(given).flatMap(([name, text]) => {
      const setting = settings.get(name)
      if (setting === undefined) {
        problems.push({ path: name, message: 'is not a setting that can be changed here', code: 'unknown' })
        return []
      }
      const message = text === null ? undefined : describeProblem(setting, text)
      if (message !== undefined) problems.push({ path: name, message, code: 'value' })
      return [setting]
    })
    refuse(problems)
    const fixed = known.filter(isGiven).map(({ variable }) => variable)
    if (fixed.length > 0) {
      throw liveSettingsFailure('set_by_environment', {
        message: `${fixed.join(', ')} ${fixed.length === 1 ? 'is' : 'are'} set by the environment. Change or remove the variable there, and restart.`,
        details: { settings: fixed },
      })
    }
    return known
  }

  const listening = await database.listen(channel, follow, follow)
  try {
    await reload()
  } catch (error) {
    await listening[Symbol.asyncDispose]()
    throw error
  }

  return {
    view<Group extends SettingsGroup>(group: Group, fixed: SettingsOf<Group>) {
      const view = {}
      for (const [name, setting] of Object.entries(group)) {
        const isLive = settings.has(setting.variable) && !isGiven(setting)
        const get = isLive ? () => values.get(setting.variable) : () => fixed[name]
        Object.defineProperty(view, name, { enumerable: true, get })
      }
      return Object.freeze(view) as SettingsOf<Group>
    },

    list: () =>
      [...settings.values()].map((setting) => {
        const row = stored.get(setting.variable)
        const given = isGiven(setting)
        const text = given ? environment.get(setting.variable) : row?.text
        const source = given ? 'environment' : text === undefined ? 'default' : 'stored'
        return { setting, source, text, stored: row }
      }),

    async change(given, audit) {
      const known = requireKnown(given)
      if (known.length === 0) return
      const rows = await Promise.all(
        known.map(async ({ variable: name, secret }) => {
          const text = given[name] ?? null
          const isEncrypted = secret && text !== null
          return {
            name,
            value: isEncrypted ? null : text,
            encrypted: isEncrypted ? await encryptValue(encryption, name, text) : null,
          }
        }),
      )
      await database.transaction(async (transaction) => {
        const run = (statement: string, parameters: readonly unknown[] = []) =>
          transaction.executeQuery(CompiledQuery.raw(statement, [...parameters]))
        // One change at a time, so that two changes together cannot contradict each other. Readers do not wait.
        await run('lock table kernel_settings in exclusive mode')
        const before = await readStoredValues({
          database: {
            query: async (statement, parameters) => (await run(statement, parameters)).rows as never,
          },
          encryption,
          log,
          settings,
        })
        const after = new Map<string, { readonly text?: string | undefined }>(before)
        for (const { variable: name } of known) after.set(name, { text: given[name] ?? undefined })
        refuse(check((variable) => readAfter(variable, after)))
        await run('delete from kernel_settings where name = any($1)', [
          rows.flatMap(({ name }) => (given[name] === null ? [name] : [])),
        ])
        for (const { name, value, encrypted } of rows) {
          if (given[name] === null) continue
          await run(storeStatement, [name, value, encrypted, audit.by])
        }
        await run("select pg_notify($1, '')", [channel])
        const names = known.map(({ variable }) => variable)
        await events.appendWithin(transaction, {
          type: changed,
          subject: 'settings',
          data: { ...audit, settings: names },
        })
      })
      await reload()
    },

    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(retryTimer)
      await listening[Symbol.asyncDispose]()
      await loading?.catch(() => {})
    },
  }

  function readAfter(
    variable: string,
    after: ReadonlyMap<string, { readonly text?: string | undefined }>,
  ): unknown {
    const setting = settings.get(variable)
    if (setting === undefined) throw new TypeError(`${variable} is not an editable setting`)
    if (!isGiven(setting)) return valueOf(setting, after)
    return setting.parse(environment.get(variable) ?? '')
  }
}

function valueOf(
  setting: Setting<unknown>,
  from: ReadonlyMap<string, { readonly text?: string | undefined }>,
) {
  const text = from.get(setting.variable)?.text
  return text === undefined ? setting.fallback : setting.parse(text)
}

const storeStatement = `
  insert into kernel_settings (name, value, encrypted_value, updated_by) values ($1, $2, $3, $4)
  on conflict (name) do update
  set value = excluded.value, encrypted_value = excluded.encrypted_value, updated_at = now(), updated_by = excluded.updated_by
`

function refuse(problems: readonly Problem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw kernelFailure('invalid_input', {
    message: `${first.path} ${first.message}.`,
    problems,
  })
}

function describeProblem({ parse, kind }: Setting<unknown>, text: string): string | undefined {
  if (text.length > maxLength) return `must have at most ${maxLength} characters`
  if (text === '' && kind !== 'list') return 'must not be empty; null removes the value'
  // PostgreSQL stores no NUL, and a setting is one line.
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters'
  try {
    parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
