import { OneTimeSecret } from '../../parts/OneTimeSecret.tsx'
import type { CreatedApiKey } from './CreateApiKey.tsx'

/** A key at the only moment it can be read. */
export default function NewApiKey({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  return (
    <OneTimeSecret
      title={`“${created.name}” is ready`}
      warning="Copy the key now: it is shown this once. The platform keeps only a fingerprint of it."
      secrets={[{ name: 'API key', value: created.key }]}
      example={`curl ${window.location.origin}/api/v1/user/profile \\\n  -H "X-API-Key: ${created.key}"`}
      doneLabel="I have saved the key"
      onDone={onDone}
    />
  )
}
