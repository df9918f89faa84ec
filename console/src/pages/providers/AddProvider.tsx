import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { ProviderFormFields, providerFields } from './ProviderForm.tsx'
import { ProviderTest } from './ProviderTest.tsx'
import { bodyOfDraft, emptyDraft, testBodyOf } from './provider-draft.ts'
import { describeAdded } from './provider-words.ts'
import { useRefreshProviders } from './use-probe.ts'

/** The form of a new provider. */
export default function AddProvider({ onClose }: { onClose: () => void }) {
  const refresh = useRefreshProviders()
  const [draft, setDraft] = useState(emptyDraft)
  const submission = useSubmission({
    fields: providerFields,
    send: ({ client }) => bodyOf(client.POST('/api/v1/providers', { body: bodyOfDraft(draft) })),
    async onDone(added) {
      await refresh()
      onClose()
      await notify({
        title: `${added.name} is added`,
        message: describeAdded(added),
      })
    },
  })
  return (
    <SideDrawer title="Add provider" onClose={onClose} holdsInput>
      <Form submission={submission} submitLabel="Add provider" failureSentence="The provider was not added.">
        <ProviderFormFields
          draft={draft}
          onChange={setDraft}
          problemOf={submission.problemOf}
          isStored={false}
        />
        <ProviderTest
          send={({ client }) => bodyOf(client.POST('/api/v1/providers/test', { body: testBodyOf(draft) }))}
        />
      </Form>
    </SideDrawer>
  )
}
