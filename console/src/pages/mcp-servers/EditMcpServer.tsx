import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { McpServerFields, serverFields } from './McpServerFields.tsx'
import type { McpServer } from './mcp-server-calls.ts'
import { draftOf, isReachedAnew, transportOf } from './mcp-server-draft.ts'

interface EditMcpServerProps {
  readonly server: McpServer
  readonly allowsPrograms: boolean
  readonly onChanged: () => Promise<void>
}

/** Its name and how it is reached. Another way to reach it is looked at anew. */
export function EditMcpServer({ server, allowsPrograms, onChanged }: EditMcpServerProps) {
  const [draft, setDraft] = useState(() => draftOf(server))
  const isAnew = isReachedAnew(draft, server)
  const submission = useSubmission({
    fields: serverFields,
    send: ({ client }) =>
      bodyOf(
        client.PATCH('/admin/mcp/servers/{id}', {
          params: { path: { id: server.id } },
          body: { name: draft.name.trim(), ...(isAnew ? { transport: transportOf(draft) } : {}) },
        }),
      ),
    async onDone(saved) {
      setDraft(draftOf(saved))
      await onChanged()
      await notify({
        title: 'The server is saved',
        message: isAnew ? 'It is looked at within seconds.' : 'The change holds from now on.',
      })
    },
  })
  return (
    <DrawerSection title="Settings">
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <McpServerFields
          draft={draft}
          allowsPrograms={allowsPrograms}
          onChange={setDraft}
          problemOf={submission.problemOf}
        />
      </Form>
    </DrawerSection>
  )
}
