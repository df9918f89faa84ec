import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import type { ClusterNode } from './cluster-bodies.ts'
import { useNodeAnswer } from './use-live-cluster.ts'
import { WeightField } from './WeightField.tsx'

/** Gives a node more or less of the work. */
export function EditWeight({ node: { id, weight } }: { node: ClusterNode }) {
  const show = useNodeAnswer()
  // Until somebody types, it is what the node has, whoever changed it.
  const [draft, setDraft] = useState<string>()
  const submission = useSubmission({
    fields: ['weight'],
    send: ({ client }) =>
      show(id, () =>
        bodyOf(
          client.PATCH('/api/cluster/nodes/{id}', {
            params: { path: { id } },
            body: { weight: Number(draft ?? weight) },
          }),
        ),
      ),
    async onDone(node) {
      setDraft(undefined)
      await notify({
        title: `${node.url} has the weight ${node.weight}`,
        message: 'It holds from the next request on.',
      })
    },
  })
  return (
    <DrawerSection title="Share of the work">
      <Form submission={submission} submitLabel="Save weight" failureSentence="The weight is as it was.">
        <WeightField
          weight={draft ?? String(weight)}
          onChange={setDraft}
          error={submission.problemOf('weight')}
        />
      </Form>
    </DrawerSection>
  )
}
