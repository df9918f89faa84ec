import { OneTimeSecret } from '../../parts/OneTimeSecret.tsx'

export interface NewCredentials {
  readonly username: string
  readonly password: string
}

interface NewPasswordProps {
  readonly credentials: NewCredentials
  readonly onDone: () => void
}

/** The credentials of a new account, for the administrator who passes them on. */
export default function NewPassword({ credentials: { username, password }, onDone }: NewPasswordProps) {
  return (
    <OneTimeSecret
      title={`${username} can sign in`}
      warning="Pass the password on now over a secure channel: it is shown only once. The user can change it in the profile."
      secrets={[
        { name: 'Username', value: username },
        { name: 'Password', value: password },
      ]}
      doneLabel="I have passed it on"
      onDone={onDone}
    />
  )
}
