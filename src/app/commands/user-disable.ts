import { withAdministration } from './with-administration.ts'

/** `tutti user disable` and `enable`: closes an account to every credential, or opens it again. */
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
