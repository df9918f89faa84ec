import { writeTable } from './text-table.ts'
import { withAdministration } from './with-administration.ts'

/** `tutti user list`: every account, for people or for scripts. */
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
      // Every account has this one, so it tells nothing.
      roles.filter((role) => role !== 'authenticated').join(', ') || '–',
    ])
    console.log(writeTable(['USERNAME', 'TIER', 'LAST SIGN-IN', 'STATE', 'ROLES'], rows))
  })
}
