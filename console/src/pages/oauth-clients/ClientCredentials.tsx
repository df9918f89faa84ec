import type { OauthClient } from '../../api/responses.ts'
import { OneTimeSecret } from '../../parts/OneTimeSecret.tsx'

/** Shows the credentials of a new client. The secret cannot be read again later. */
export type NewClient = Pick<OauthClient, 'name' | 'client_id'> & {
  readonly client_secret?: string
}

export default function ClientCredentials({ client, onDone }: { client: NewClient; onDone: () => void }) {
  const { name, client_id, client_secret } = client
  const hasSecret = client_secret !== undefined
  return (
    <OneTimeSecret
      title={`“${name}” is registered`}
      warning={
        hasSecret
          ? 'Copy the secret now: it is shown only once. The server stores only a hash.'
          : 'A public client has no secret. It authenticates with PKCE.'
      }
      secrets={[
        { name: 'Client ID', value: client_id },
        ...(hasSecret ? [{ name: 'Client secret', value: client_secret }] : []),
      ]}
      doneLabel={hasSecret ? 'I have saved the secret' : 'Done'}
      onDone={onDone}
    />
  )
}
