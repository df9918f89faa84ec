import { choosePassword, type PasswordOptions } from './choose-password.ts'
import { withAdministration } from './with-administration.ts'

export interface AddUserOptions extends PasswordOptions {
  readonly role?: readonly string[]
  readonly email?: string
  readonly displayName?: string
  readonly tier?: string
}

/** `tutti user add`: creates an account. Standard output has its password when that was made up, and nothing else. */
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
