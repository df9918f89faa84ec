import { OneTimeSecret } from '../../parts/OneTimeSecret.tsx'
import type { CreatedApiKey } from './CreateApiKey.tsx'

/** A key at the only moment it can be read. */
export default function NewApiKey({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  return (
    <OneTimeSecret
      title={`“${created.name}” is created`}
      warning="Copy the key now: it is shown only once. The server stores only a hash."
      secrets={[{ name: 'API key', value: created.key }]}
      example={`curl ${window.location.origin}/api/v1/user/profile \\\n  -H "X-API-Key: ${created.key}"`}
      doneLabel="I have saved the key"
      onDone={onDone}
    />
  )
}
