import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { McpServerFields, serverFields } from './McpServerFields.tsx'
import { emptyDraft, transportOf } from './mcp-server-draft.ts'

interface AddMcpServerProps {
  readonly allowsPrograms: boolean
  readonly onClose: () => void
  readonly onAdded: (id: string) => Promise<void>
}

/** Asks where a server is, adds it and looks at it at once. */
export default function AddMcpServer({ allowsPrograms, onClose, onAdded }: AddMcpServerProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const submission = useSubmission({
    fields: serverFields,
    send: async ({ client }) => {
      const body = { name: draft.name.trim(), transport: transportOf(draft), enabled: true }
      const { id } = await bodyOf(client.POST('/admin/mcp/servers', { body }))
      // Whether it answers is shown where it is listed; that it was added holds in any case.
      await bodyOf(client.POST('/admin/mcp/servers/{id}/probe', { params: { path: { id } } })).catch(() => {})
      return id
    },
    onDone: onAdded,
  })
  return (
    <SideDrawer title="Add server" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Add server"
        failureSentence="The server was not added."
        onCancel={onClose}
      >
        <McpServerFields
          isNew
          draft={draft}
          allowsPrograms={allowsPrograms}
          onChange={setDraft}
          problemOf={submission.problemOf}
        />
      </Form>
    </SideDrawer>
  )
}
