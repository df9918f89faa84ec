import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import type { Problem } from '../../api/api-failure.ts'
import { describeProblem } from '../../parts/describe-problem.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { useNodeAnswer } from './use-live-cluster.ts'
import { WeightField } from './WeightField.tsx'

/** Asks for the address of a node that runs already. */
export default function AddNode({ onClose }: { onClose: () => void }) {
  const show = useNodeAnswer()
  const [url, setUrl] = useState('')
  const [weight, setWeight] = useState('1')
  const submission = useSubmission({
    fields: ['url', 'weight'],
    send: ({ client }) =>
      show(undefined, () =>
        bodyOf(client.POST('/api/cluster/nodes', { body: { url: url.trim(), weight: Number(weight) } })),
      ),
    async onDone(node) {
      onClose()
      await notify({
        title: `${node.url} is added`,
        message: 'It receives requests as soon as its models are known.',
      })
    },
  })
  const { problemOf } = submission
  return (
    <SideDrawer title="Add node" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Add node"
        failureSentence="The node was not added."
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Address"
          description="URL of an Ollama-compatible server, reachable from the cluster."
          placeholder="http://gpu-1:11434"
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={url}
          onChange={(change) => setUrl(change.currentTarget.value)}
          error={problemOf('url', describeUrlProblem)}
        />
        <WeightField weight={weight} onChange={setWeight} error={problemOf('weight')} />
      </Form>
    </SideDrawer>
  )
}

/** The cluster quotes what was typed, which stands right above. */
function describeUrlProblem({ message }: Problem): string {
  return describeProblem({ message: message.replace(/^has ".*", which /, '') })
}
