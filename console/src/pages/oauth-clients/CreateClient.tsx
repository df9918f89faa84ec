import { Radio, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import type { ScopeName } from '../../api/responses.ts'
import { ChoiceLabel } from '../../parts/ChoiceLabel.tsx'
import { describeLineProblem } from '../../parts/describe-problem.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import type { NewClient } from './ClientCredentials.tsx'
import { clientKinds, linesOf } from './client-kinds.ts'
import { ScopeChoice } from './ScopeChoice.tsx'

interface CreateClientProps {
  readonly onClose: () => void
  readonly onCreated: (client: NewClient) => Promise<void>
}

/** Asks what an application is and where it runs. */
export default function CreateClient({ onClose, onCreated }: CreateClientProps) {
  const [name, setName] = useState('')
  const [kindName, setKindName] = useState('web')
  const [addresses, setAddresses] = useState('')
  const [scopes, setScopes] = useState<ScopeName[]>([])
  const kind = clientKinds.find(({ value }) => value === kindName)
  const redirects = kind?.grantTypes.includes('authorization_code') === true

  const submission = useSubmission({
    fields: ['name', 'grant_types', 'redirect_uris', 'scopes'],
    send: ({ client }) =>
      bodyOf(
        client.POST('/api/v1/oauth-clients', {
          body: {
            name: name.trim(),
            redirect_uris: redirects ? linesOf(addresses) : [],
            scopes,
            grant_types: [...(kind?.grantTypes ?? [])],
            public: kind?.isPublic === true,
          },
        }),
      ),
    onDone: onCreated,
  })
  const { problemOf } = submission

  return (
    <SideDrawer title="Register OAuth client" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Register"
        failureSentence="The client was not registered."
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Name"
          description="Shown to users on the consent screen."
          placeholder="Score library"
          value={name}
          onChange={(change) => setName(change.currentTarget.value)}
          error={problemOf('name')}
        />
        <Radio.Group
          label="Application type"
          value={kindName}
          onChange={setKindName}
          error={problemOf('grant_types')}
        >
          {clientKinds.map(({ value, title, about }) => (
            <Radio
              key={value}
              value={value}
              size="xs"
              mt={8}
              label={<ChoiceLabel title={title} about={about} />}
            />
          ))}
        </Radio.Group>
        {redirects ? (
          <Textarea
            label="Redirect URIs"
            description="Where users return after sign-in, one per line. They must match exactly."
            placeholder="https://scores.example/callback"
            autosize
            minRows={2}
            value={addresses}
            onChange={(change) => setAddresses(change.currentTarget.value)}
            error={problemOf('redirect_uris', describeLineProblem)}
          />
        ) : null}
        <ScopeChoice chosen={scopes} onChange={setScopes} error={problemOf('scopes')} />
      </Form>
    </SideDrawer>
  )
}
