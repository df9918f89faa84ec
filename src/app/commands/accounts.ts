import { createIdentityAdministration, type IdentityAdministration } from '#identity'
import { createEncryption } from '#kernel/encryption'
import { UserError } from '#kernel/errors'
import { createEvents } from '#kernel/events'
import { createMetrics } from '#kernel/telemetry'
import { choosePassword, type PasswordOptions } from './choose-password.ts'
import { writeTable } from './text.ts'
import { withDatabase } from './with-database.ts'

export interface AddUserOptions extends PasswordOptions {
  readonly role?: readonly string[]
  readonly email?: string
  readonly displayName?: string
  readonly tier?: string
}

/** `tutti user add`: creates an account. Standard output contains a generated password and nothing else. */
export async function addUser(username: string, options: AddUserOptions): Promise<void> {
  const { role: roles = [], email, displayName, tier } = options
  const account = { username, roles, email, displayName, tier }
  await withAdministration(async (administration) => {
    await administration.checkNewUser(account)
    const password = await choosePassword(username, options)
    const user = await administration.addUser(account, password)
    const given = roles.length === 0 ? 'without a role of its own' : `as ${roles.join(', ')}`
    console.error(`Added ${user.username} ${given}, tier ${user.tier}.`)
    if (!(await administration.hasAdministrator())) {
      console.error('This installation has no administrator yet. To add one:')
      console.error('  npx tutti user add NAME --role administrator')
    }
    if (options.generate) {
      console.error('Its password is shown only this once.')
      console.log(password)
    }
  })
}

/** `tutti user password`: gives an account a new password. */
export async function setPassword(name: string, options: PasswordOptions): Promise<void> {
  await withAdministration(async (administration) => {
    const { username } = await administration.findUser(name)
    const password = await choosePassword(username, options)
    const user = await administration.setPassword(username, password)
    console.error(`${username} has a new password. All its sessions, tokens and consents have ended.`)
    console.error(
      user.disabled
        ? `The account is still disabled. To enable it: npx tutti user enable "${username}"`
        : 'Its API keys still work.',
    )
    if (options.generate) {
      console.error('The password is shown only this once.')
      console.log(password)
    }
  })
}

/** `tutti user list`: every account, as a table or as JSON. */
export async function listUsers({ json }: { readonly json?: true }): Promise<void> {
  await withAdministration(async (administration) => {
    const users = await administration.listUsers()
    if (json) {
      console.log(JSON.stringify(users, null, 2))
      return
    }
    if (users.length === 0) {
      console.error('There is no account yet. The first start of the platform makes an administrator.')
      return
    }
    const rows = users.map(({ username, tier, last_login_at, disabled, roles }) => [
      username,
      tier,
      last_login_at === null ? 'never' : `${last_login_at.slice(0, 16).replace('T', ' ')}Z`,
      disabled ? 'disabled' : 'active',
      // Every account has the role authenticated.
      roles.filter((role) => role !== 'authenticated').join(', ') || '–',
    ])
    console.log(writeTable(['USERNAME', 'TIER', 'LAST SIGN-IN', 'STATE', 'ROLES'], rows))
  })
}

/** `tutti user disable` and `enable`: rejects every credential of an account, or accepts them again. */
export async function setDisabled(name: string, disabled: boolean): Promise<void> {
  await withAdministration(async (administration) => {
    const before = await administration.findUser(name)
    if (before.disabled === disabled) {
      console.error(`${before.username} is ${disabled ? 'disabled' : 'enabled'} already.`)
      return
    }
    const { username } = await administration.setDisabled(name, disabled)
    console.error(
      disabled
        ? `${username} is disabled: everything it was signed in with has ended, and its API keys are refused.`
        : `${username} is enabled and can sign in. Its API keys work again.`,
    )
  })
}

export interface CreateKeyOptions {
  readonly user: string
  readonly name: string
  readonly scope?: readonly string[]
  readonly expires?: string
}

/** `tutti key create`: creates an API key. Standard output contains the key and nothing else. */
export async function createKey({ user, name, scope, expires }: CreateKeyOptions): Promise<void> {
  const expiresAt = expires === undefined ? null : readExpiry(expires)
  const scopes = scope === undefined || scope.length === 0 ? null : scope
  await withAdministration(async (administration) => {
    const created = await administration.createApiKey({ username: user, name, scopes, expiresAt })
    const reach = scopes === null ? 'everything the account may do' : scopes.join(', ')
    const until = expiresAt === null ? 'until it is revoked' : `until ${writeMoment(expiresAt)}`
    console.error(`An API key of ${created.username} for ${reach}, ${until}.`)
    console.error('It is shown only this once.')
    console.log(created.key)
  })
}

function writeMoment(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** `tutti key rotate`: replaces the key that signs access tokens. */
export async function rotateKey({
  distrustOld = false,
}: {
  readonly distrustOld?: true | false
}): Promise<void> {
  await withAdministration(async (administration) => {
    const { kid, signsFrom } = await administration.rotateSigningKey({ distrustOld })
    console.error(`The new signing key is ${kid}.`)
    const lines = distrustOld
      ? [
          'It signs from now on. Every access token issued before is refused.',
          'Refresh tokens, sessions and API keys still work: clients refresh and go on.',
        ]
      : [
          `It is published now and signs from ${signsFrom.toISOString().slice(11, 16)} UTC on.`,
          'Access tokens signed before then stay valid until they expire.',
        ]
    for (const line of lines) console.error(line)
  })
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

/** Parses the time of expiry: `12h`, `30d`, a date (midnight UTC), or a time with its time zone. */
export function readExpiry(text: string, now = Date.now()): Date {
  const at = readMoment(text, now)
  if (at === undefined) {
    throw new UserError(
      `--expires must be a time from now such as 12h or 30d, or a date such as 2031-12-31 or 2031-12-31T18:00Z, not "${text}".`,
    )
  }
  if (at <= now) throw new UserError(`--expires must be in the future, not ${text}.`)
  return new Date(at)
}

function readMoment(text: string, now: number): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([hd])$/.exec(text) ?? []
  if (amount !== undefined && unit !== undefined) return now + Number(amount) * (unitMs[unit] ?? 0)
  return readDate(text)
}

/** The parsed date has to equal the text: JavaScript reads the 31st of February as the 3rd of March. */
function readDate(text: string): number | undefined {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  if (day === undefined) return undefined
  const [midnight, moment] = [Date.parse(day), Date.parse(text)]
  if (Number.isNaN(midnight) || Number.isNaN(moment)) return undefined
  return new Date(midnight).toISOString().startsWith(day) ? moment : undefined
}

/** Opens the database for a command that administers accounts or keys. */
async function withAdministration(
  work: (administration: IdentityAdministration) => Promise<void>,
): Promise<void> {
  await withDatabase(async ({ database, settings, log }) => {
    const metrics = createMetrics({ watchProcess: false })
    await using events = createEvents({ database, log, metrics })
    const encryption = createEncryption({
      settings: settings.encryption,
      database,
      dataDir: settings.database.dataDir,
    })
    await work(createIdentityAdministration({ database, events, metrics, encryption }))
  })
}
