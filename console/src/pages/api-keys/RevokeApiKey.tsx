import { done } from '../../api/api.ts'
import type { ApiKey } from '../../api/responses.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'

interface RevokeApiKeyProps {
  readonly apiKey: ApiKey
  readonly onRevoked: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before a key stops working for good. */
export default function RevokeApiKey({ apiKey, onRevoked, onClose }: RevokeApiKeyProps) {
  const { id, name, prefix, username, last_used_at } = apiKey
  return (
    <ConfirmDialog
      title={`Revoke “${name}”?`}
      confirmLabel="Revoke key"
      failureSentence="The key was not revoked."
      send={({ client }) => done(client.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } } }))}
      onDone={onRevoked}
      onClose={onClose}
    >
      <p>
        Requests with the key <code>{prefix}…</code> are rejected from now on. This cannot be undone.
      </p>
      <p>
        It belongs to {username}, and{' '}
        {last_used_at === null ? (
          'has never been used.'
        ) : (
          <>
            was last used <RelativeTime at={last_used_at} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  )
}
