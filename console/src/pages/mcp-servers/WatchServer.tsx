import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import type { McpServer } from './mcp-server-calls.ts'

interface WatchServerProps {
  readonly server: McpServer
  /** Told when a question stands in front of the drawer, and when it goes. */
  readonly onCovered: (covered: boolean) => void
  readonly onChanged: () => Promise<void>
  readonly onRemoved: () => Promise<void>
}

/** Whether it is looked at at all, and the end of it. */
export function WatchServer({ server, onCovered, onChanged, onRemoved }: WatchServerProps) {
  const api = useApi()
  const [isAsking, setIsAsking] = useState(false)
  const params = { path: { id: server.id } }
  const ask = (asking: boolean) => {
    setIsAsking(asking)
    onCovered(asking)
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      bodyOf(api.client.PATCH('/admin/mcp/servers/{id}', { params, body: { enabled: !server.enabled } })),
    onSuccess: onChanged,
  })
  return (
    <DrawerSection
      title="Watching"
      about={
        server.enabled
          ? 'It is looked at by itself, and counts in the health of the platform.'
          : 'It is not looked at, and counts nowhere.'
      }
      ways={
        <>
          <Button size="sm" variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
            {server.enabled ? 'Switch off' : 'Switch on'}
          </Button>
          <DangerButton kind="ask" onClick={() => ask(true)}>
            Remove…
          </DangerButton>
        </>
      }
    >
      {error === null ? null : (
        <FailureNotice what="Nothing was changed." error={error} onRetry={() => mutate()} />
      )}
      {isAsking ? (
        <ConfirmDialog
          title={`Remove ${server.name}?`}
          confirmLabel="Remove server"
          failureSentence="The server was not removed."
          send={({ client }) => bodyOf(client.DELETE('/admin/mcp/servers/{id}', { params }))}
          onDone={onRemoved}
          onClose={() => ask(false)}
        >
          <p>
            {server.name} is no longer looked at, and what is stored to reach it is deleted. The server itself
            is not touched. This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
