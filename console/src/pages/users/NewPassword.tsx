import { OneTimeSecret } from '../../parts/OneTimeSecret.tsx'

export interface NewCredentials {
  readonly username: string
  readonly password: string
}

interface NewPasswordProps {
  readonly credentials: NewCredentials
  readonly onDone: () => void
}

/** What somebody needs to sign in, for the one who passes it on. */
export default function NewPassword({ credentials: { username, password }, onDone }: NewPasswordProps) {
  return (
    <OneTimeSecret
      title={`${username} can sign in`}
      warning="Pass the password on now, by a safe way: it is shown this once. They can change it in their profile."
      secrets={[
        { name: 'Username', value: username },
        { name: 'Password', value: password },
      ]}
      doneLabel="I have passed it on"
      onDone={onDone}
    />
  )
}
