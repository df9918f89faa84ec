import { PasswordInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import type { Provider } from './provider-queries.ts'
import { describeProvider, keyVariables, providerStates } from './provider-words.ts'
import { useShowProvider } from './use-probe.ts'

interface ProviderKeyProps {
  readonly provider: Provider
  /** Told when a question stands in front of the drawer, and when it goes. */
  readonly onCovered: (covered: boolean) => void
}

/** The key a provider wants to see: set, replaced and removed, and never shown. */
export function ProviderKey({ provider, onCovered }: ProviderKeyProps) {
  const { name, key } = provider
  const variable = keyVariables[name] ?? ''
  if (key.source === 'environment') {
    return (
      <DrawerSection
        title="Key"
        about={
          <>
            The key comes from <code>{variable}</code> in the environment, which overrides a stored key. To
            store a key here, unset the variable and restart.
          </>
        }
      />
    )
  }
  return (
    <DrawerSection
      title="Key"
      about="Stored encrypted, applied immediately, never shown again."
      ways={key.source === 'stored' ? <RemoveKey provider={provider} onCovered={onCovered} /> : undefined}
    >
      <StoreKey provider={provider} />
    </DrawerSection>
  )
}

function StoreKey({ provider: { name, key } }: { provider: Provider }) {
  const show = useShowProvider()
  const [typed, setTyped] = useState('')
  const isNew = key.source === null
  const submission = useSubmission({
    fields: ['api_key'],
    send: ({ client }) =>
      bodyOf(
        client.PUT('/api/v1/providers/{name}/key', {
          params: { path: { name } },
          body: { api_key: typed.trim() },
        }),
      ),
    async onDone(answer) {
      setTyped('')
      show(answer)
      await notify({
        title: `The key of ${describeProvider(name)} is stored`,
        message: `${providerStates[answer.state].word}${answer.problem === null ? '.' : `: ${answer.problem}`}`,
      })
    },
  })
  return (
    <Form
      submission={submission}
      submitLabel={isNew ? 'Store key' : 'Replace key'}
      failureSentence={isNew ? 'The key was not stored.' : 'The key was not changed.'}
    >
      <PasswordInput
        label={isNew ? 'API key' : 'New API key'}
        description={`API key from ${describeProvider(name)}.`}
        autoComplete="off"
        data-1p-ignore
        value={typed}
        onChange={(change) => setTyped(change.currentTarget.value)}
        error={submission.problemOf('api_key')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key', tabIndex: 0 }}
      />
    </Form>
  )
}

function RemoveKey({ provider: { name }, onCovered }: ProviderKeyProps) {
  const cache = useQueryClient()
  const [asking, setAsking] = useState(false)
  const ask = (wanted: boolean) => {
    setAsking(wanted)
    onCovered(wanted)
  }
  return (
    <>
      <DangerButton kind="ask" onClick={() => ask(true)}>
        Remove key…
      </DangerButton>
      {asking ? (
        <ConfirmDialog
          title={`Remove the key of ${describeProvider(name)}?`}
          confirmLabel="Remove key"
          failureSentence="The key was not removed."
          send={({ client }) =>
            done(client.DELETE('/api/v1/providers/{name}/key', { params: { path: { name } } }))
          }
          onDone={async () => {
            await Promise.all(
              [['providers'], ['models']].map((queryKey) => cache.invalidateQueries({ queryKey })),
            )
          }}
          onClose={() => ask(false)}
        >
          <p>
            Models of {describeProvider(name)} are no longer available on any replica. Running calls finish.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
