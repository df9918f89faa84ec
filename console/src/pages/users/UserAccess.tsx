import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Api, bodyOf, done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { User } from '../../api/responses.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'

interface UserAccessProps {
  readonly user: User
  readonly isSelf: boolean
  /** Told when a question stands in front of the drawer, and when it goes. */
  readonly onCovered: (covered: boolean) => void
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => void
}

/** Shutting an account out for a while, or for good. */
export function UserAccess({ user, isSelf, onCovered, onChanged, onDeleted }: UserAccessProps) {
  const api = useApi()
  const [asking, setAsking] = useState<'disable' | 'delete'>()
  const ask = (question: 'disable' | 'delete' | undefined) => {
    setAsking(question)
    onCovered(question !== undefined)
  }
  const params = { path: { id: user.id } }
  const setDisabled = (through: Api, disabled: boolean) =>
    bodyOf(through.client.PATCH('/api/v1/users/{id}', { params, body: { disabled } }))
  const enabling = useMutation({ mutationFn: () => setDisabled(api, false), onSuccess: onChanged })

  return (
    <DrawerSection
      title="Access"
      about={
        isSelf
          ? 'This is your own account: another administrator has to disable or delete it.'
          : user.disabled
            ? 'This account is disabled: sign-in, API keys and tokens are rejected.'
            : 'Disabling rejects every sign-in, API key and token of the account until it is enabled again.'
      }
      ways={
        isSelf ? undefined : (
          <>
            {user.disabled ? (
              <Button size="sm" variant="default" onClick={() => enabling.mutate()}>
                Enable
              </Button>
            ) : (
              <Button size="sm" variant="default" onClick={() => ask('disable')}>
                Disable…
              </Button>
            )}
            <DangerButton kind="ask" onClick={() => ask('delete')}>
              Delete…
            </DangerButton>
          </>
        )
      }
    >
      {enabling.error === null ? null : (
        <FailureNotice
          what="The account is still disabled."
          error={enabling.error}
          onRetry={() => enabling.mutate()}
        />
      )}
      {asking === 'disable' ? (
        <ConfirmDialog
          title={`Disable ${user.username}?`}
          confirmLabel="Disable account"
          failureSentence="The account was not disabled."
          send={(it) => setDisabled(it, true)}
          onDone={onChanged}
          onClose={() => ask(undefined)}
        >
          <p>
            {user.username} is signed out everywhere, and every API key and token of the account is rejected.
            Nothing is deleted: you can enable the account again.
          </p>
        </ConfirmDialog>
      ) : null}
      {asking === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${user.username}?`}
          confirmLabel="Delete account"
          failureSentence="The account was not deleted."
          send={({ client }) => done(client.DELETE('/api/v1/users/{id}', { params }))}
          onDone={async () => {
            await onChanged()
            onDeleted()
          }}
          onClose={() => ask(undefined)}
        >
          <p>
            Deletes the account with its sessions, API keys and OAuth clients. Programs that use them stop
            working. This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
