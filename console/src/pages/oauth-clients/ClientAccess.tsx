import { Button } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import type { OauthClient } from '../../api/bodies.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import type { NewClient } from './ClientCredentials.tsx'

interface ClientAccessProps {
  readonly client: OauthClient
  /** Told when a question stands in front of the drawer, and when it goes. */
  readonly onCovered: (covered: boolean) => void
  readonly onNewSecret: (client: NewClient) => Promise<void>
  readonly onDeleted: () => Promise<void>
}

/** A new secret for a client whose old one is lost or known to others, and the end of the client. */
export function ClientAccess({ client, onCovered, onNewSecret, onDeleted }: ClientAccessProps) {
  const [asking, setAsking] = useState<'secret' | 'delete'>()
  const ask = (question: 'secret' | 'delete' | undefined) => {
    setAsking(question)
    onCovered(question !== undefined)
  }
  const params = { path: { client_id: client.client_id } }
  return (
    <DrawerSection
      title="Access"
      about={
        client.public
          ? 'This client is public: it has no secret that could be replaced.'
          : 'Replace the secret when it is lost, or when somebody may know it who should not.'
      }
      ways={
        <>
          {client.public ? null : (
            <Button size="sm" variant="default" onClick={() => ask('secret')}>
              Replace secret…
            </Button>
          )}
          <DangerButton kind="ask" onClick={() => ask('delete')}>
            Delete…
          </DangerButton>
        </>
      }
    >
      {asking === 'secret' ? (
        <ConfirmDialog
          title={`Replace the secret of “${client.name}”?`}
          confirmLabel="Replace secret"
          failureSentence="The secret is as it was."
          send={(api) => bodyOf(api.client.POST('/api/v1/oauth-clients/{client_id}/secret', { params }))}
          onDone={async (renewed) => {
            await onNewSecret({ ...client, client_secret: renewed.client_secret })
          }}
          onClose={() => ask(undefined)}
        >
          <p>The old secret is refused at once: the application fails until it has the new one.</p>
        </ConfirmDialog>
      ) : null}
      {asking === 'delete' ? (
        <ConfirmDialog
          title={`Delete “${client.name}”?`}
          confirmLabel="Delete client"
          failureSentence="The client was not deleted."
          send={(api) => done(api.client.DELETE('/api/v1/oauth-clients/{client_id}', { params }))}
          onDone={onDeleted}
          onClose={() => ask(undefined)}
        >
          <p>
            The application can no longer sign anybody in, and every token it holds is refused. People who
            connected it are disconnected. This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
