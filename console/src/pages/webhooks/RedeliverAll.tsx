import { Button } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { notify } from '../../shell/notify.ts'
import { pathOf } from './webhook-calls.ts'
import type { WebhookApi } from './webhook-search.ts'

interface RedeliverAllProps {
  readonly kind: WebhookApi
  readonly id: string
  readonly onDone: () => Promise<void>
}

/** Everything that was given up, once more. */
export function RedeliverAll({ kind, id, onDone }: RedeliverAllProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="sm" variant="default" onClick={() => setAsking(true)}>
        Send again what was given up…
      </Button>
      {asking ? (
        <ConfirmDialog
          title="Send again everything that was given up?"
          confirmLabel="Send again"
          failureSentence="Nothing was sent again."
          send={({ client }) =>
            bodyOf(
              client.POST(pathOf(kind, '/{id}/redeliver'), {
                params: { path: { id } },
                body: { state: 'dead' },
              }),
            )
          }
          onDone={async ({ redelivered, more }) => {
            await onDone()
            await notify({
              title:
                redelivered === 1
                  ? '1 delivery is on its way again'
                  : `${redelivered.toLocaleString()} deliveries are on their way again`,
              ...(more ? { message: 'There are more: send again once these are through.' } : {}),
            })
          }}
          onClose={() => setAsking(false)}
        >
          <p>Up to ten thousand deliveries, the oldest first, each with the id it had.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
