import { choosePassword, type PasswordOptions } from './choose-password.ts'
import { withAdministration } from './with-administration.ts'

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
