import type { OauthClient } from '../../api/bodies.ts'
import { OneTimeSecret } from '../../parts/OneTimeSecret.tsx'

/** A client at the only moment its secret can be read. */
export type NewClient = Pick<OauthClient, 'name' | 'client_id'> & {
  readonly client_secret?: string
}

export default function ClientCredentials({ client, onDone }: { client: NewClient; onDone: () => void }) {
  const { name, client_id, client_secret } = client
  const hasSecret = client_secret !== undefined
  return (
    <OneTimeSecret
      title={`“${name}” is ready`}
      warning={
        hasSecret
          ? 'Copy the secret now: it is shown this once. The platform keeps only a fingerprint of it.'
          : 'A public client has no secret. It proves itself with PKCE, and is found again by its id.'
      }
      secrets={[
        { name: 'Client id', value: client_id },
        ...(hasSecret ? [{ name: 'Client secret', value: client_secret }] : []),
      ]}
      doneLabel={hasSecret ? 'I have saved the secret' : 'Done'}
      onDone={onDone}
    />
  )
}
