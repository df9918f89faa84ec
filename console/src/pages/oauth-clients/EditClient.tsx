import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import type { OauthClient } from '../../api/bodies.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { describeLineProblem } from '../../parts/describe-problem.ts'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { linesOf, usesRedirects } from './client-kinds.ts'
import { ScopeChoice } from './ScopeChoice.tsx'

/** What of a client can change without registering it anew. */
export function EditClient({ client, onChanged }: { client: OauthClient; onChanged: () => Promise<void> }) {
  const [name, setName] = useState(client.name)
  const [addresses, setAddresses] = useState(client.redirect_uris.join('\n'))
  const [scopes, setScopes] = useState(client.scopes)
  const submission = useSubmission({
    fields: ['name', 'redirect_uris', 'scopes'],
    send: (api) =>
      bodyOf(
        api.client.PATCH('/api/v1/oauth-clients/{client_id}', {
          params: { path: { client_id: client.client_id } },
          body: {
            name: name.trim(),
            scopes,
            ...(usesRedirects(client) ? { redirect_uris: linesOf(addresses) } : {}),
          },
        }),
      ),
    async onDone(saved) {
      await onChanged()
      await notify({ title: `“${saved.name}” is saved`, message: 'The change holds from now on.' })
    },
  })
  const { problemOf } = submission
  return (
    <DrawerSection title="Settings">
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <TextInput
          label="Name"
          value={name}
          onChange={(change) => setName(change.currentTarget.value)}
          error={problemOf('name')}
        />
        {usesRedirects(client) ? (
          <Textarea
            label="Redirect addresses"
            description="One on each line."
            autosize
            minRows={2}
            value={addresses}
            onChange={(change) => setAddresses(change.currentTarget.value)}
            error={problemOf('redirect_uris', describeLineProblem)}
          />
        ) : null}
        <ScopeChoice chosen={scopes} onChange={setScopes} error={problemOf('scopes')} />
      </Form>
    </DrawerSection>
  )
}
