import { choosePassword, type PasswordOptions } from './choose-password.ts'
import { writeTable } from './text.ts'
import { withAdministration } from './with-administration.ts'

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
      console.error('Nobody can administer this installation yet. To add somebody who can:')
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
