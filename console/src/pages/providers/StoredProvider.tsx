import { useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import { ConfirmedAction } from '../../parts/ConfirmedAction.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { ProviderFormFields, providerFields } from './ProviderForm.tsx'
import { ProviderTest } from './ProviderTest.tsx'
import { changeOfDraft, draftOf } from './provider-draft.ts'
import type { Provider } from './provider-queries.ts'
import { useRefreshProviders, useShowProvider } from './use-probe.ts'

interface StoredProviderProps {
  readonly provider: Provider
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onRemoved: () => void
}

/** The settings of a provider that was added here: tested, changed and deleted. */
export function StoredProvider({ provider, onCovered, onRemoved }: StoredProviderProps) {
  const { name } = provider
  return (
    <>
      <DrawerSection title="Connection" about="Lists the models with the stored settings. Nothing is spent.">
        <ProviderTest
          send={({ client }) =>
            bodyOf(client.POST('/api/v1/providers/{name}/test', { params: { path: { name } } }))
          }
        />
      </DrawerSection>
      <DrawerSection title="Settings" about="Changes apply to all replicas at once. Running calls finish.">
        <ChangeProvider key={provider.updated_at} provider={provider} />
      </DrawerSection>
      <DrawerSection
        title="Delete"
        about="Deletes the provider with its key. Usage and prices stay."
        ways={<RemoveProvider provider={provider} onCovered={onCovered} onRemoved={onRemoved} />}
      />
    </>
  )
}

function ChangeProvider({ provider }: { provider: Provider }) {
  const show = useShowProvider()
  const [draft, setDraft] = useState(() => draftOf(provider))
  const submission = useSubmission({
    fields: providerFields,
    send: ({ client }) =>
      bodyOf(
        client.PATCH('/api/v1/providers/{name}', {
          params: { path: { name: provider.name } },
          body: changeOfDraft(draft),
        }),
      ),
    async onDone(answer) {
      show(answer)
      await notify({ title: `${answer.name}: settings saved`, message: 'Apply to new calls.' })
    },
  })
  return (
    <Form submission={submission} submitLabel="Save settings" failureSentence="The settings were not saved.">
      <ProviderFormFields draft={draft} onChange={setDraft} problemOf={submission.problemOf} isStored />
    </Form>
  )
}

function RemoveProvider({ provider: { name }, onCovered, onRemoved }: StoredProviderProps) {
  const refresh = useRefreshProviders()
  return (
    <ConfirmedAction
      label="Delete provider…"
      onCovered={onCovered}
      title={`Delete the provider ${name}?`}
      confirmLabel="Delete provider"
      failureSentence="The provider was not deleted."
      send={({ client }) => done(client.DELETE('/api/v1/providers/{name}', { params: { path: { name } } }))}
      onDone={async () => {
        await refresh()
        onRemoved()
      }}
    >
      <p>Models of {name} are no longer available on any replica. Running calls finish.</p>
    </ConfirmedAction>
  )
}
