import '../../theme/mantine-form.css'
import { Button, FileButton, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { readFlowFile } from './flow-file.ts'

interface ImportFlowProps {
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
}

/** Imports a flow from a file or from pasted text. The server reports all problems of the flow. */
export default function ImportFlow({ onDone, onClose }: ImportFlowProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const read = readFlowFile(text)
  const submission = useSubmission({
    fields: [],
    send: async ({ client }) => {
      if (read.flow === undefined)
        throw new Error(read.problem ?? 'Choose a file or paste a definition first.')
      return await bodyOf(client.POST('/ai-workflows/api/flows', { body: read.flow as never }))
    },
    async onDone({ flow_id }) {
      await onDone()
      await navigate({ to: '/workflows/$flow', params: { flow: flow_id } })
      await notify({ title: 'The workflow is imported' })
    },
  })
  return (
    <SideDrawer title="Import a workflow" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Import"
        failureSentence="The workflow was not imported."
        onCancel={onClose}
      >
        <FileButton accept="application/json,.json" onChange={(file) => void file?.text().then(setText)}>
          {(props) => (
            <Button size="sm" variant="default" {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Textarea
          label="Definition"
          description="Paste a definition or an exported file."
          autosize
          minRows={8}
          maxRows={24}
          value={text}
          error={text === '' ? undefined : read.problem}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Form>
    </SideDrawer>
  )
}
