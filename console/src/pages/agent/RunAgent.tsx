import '../../theme/mantine-form.css'
import { Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import type { WholeAgent } from '../agents/agent-queries.ts'
import { sampleContext } from '../workflow/sample-context.ts'
import { flowOfAgent, parametersOf, valuesOf } from './agent-parameters.ts'
import { ParameterField } from './ParameterField.tsx'
import { WorkflowsWith } from './WorkflowsWith.tsx'

interface RunAgentProps {
  readonly agent: WholeAgent
  /** Whether the user may run the agent alone. Other users run the workflows that include it. */
  readonly mayTry: boolean
  readonly onClose: () => void
}

/** Runs the agent on a text, and opens the execution. */
export default function RunAgent({ agent, mayTry, onClose }: RunAgentProps) {
  return (
    <SideDrawer title={`Run ${agent.label}`} onClose={onClose} holdsInput>
      {mayTry ? (
        <TryForm agent={agent} onCancel={onClose} />
      ) : (
        <DrawerSection
          title="In a workflow"
          about="You may run workflows, but not single agents. These workflows use the agent:"
        >
          <WorkflowsWith agent={agent.id} />
        </DrawerSection>
      )}
    </SideDrawer>
  )
}

function TryForm({ agent, onCancel }: { agent: WholeAgent; onCancel: () => void }) {
  const navigate = useNavigate()
  const parameters = parametersOf(agent)
  const [text, setText] = useState(() => String(sampleContext([])['content']))
  const [instructions, setInstructions] = useState('')
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const submission = useSubmission({
    fields: [...parameters.map(({ name }) => parameterPath(name)), ...textFields],
    send: ({ client }) =>
      bodyOf(
        client.POST('/ai-workflows/api/flows/try', {
          body: {
            flow_definition: flowOfAgent(agent, { parameters: valuesOf(parameters, typed), instructions }),
            context: { content: text },
          },
        }),
      ),
    onDone: ({ execution_id }) =>
      navigate({ to: '/executions/$execution', params: { execution: execution_id } }),
  })
  return (
    <Form
      submission={submission}
      submitLabel="Run"
      failureSentence="Nothing was started."
      onCancel={onCancel}
    >
      <Textarea
        data-autofocus
        label="Text"
        description={`Input formats: ${agent.input_types.join(', ')}; at most ${agent.configuration.max_input_length.toLocaleString()} characters.`}
        autosize
        minRows={6}
        maxRows={20}
        value={text}
        error={submission.problemOf('context.content')}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={typed[parameter.name] ?? ''}
          error={submission.problemOf(parameterPath(parameter.name))}
          onChange={(value) => setTyped((before) => ({ ...before, [parameter.name]: value }))}
        />
      ))}
      <Textarea
        label="Instructions (optional)"
        description="Added to the prompt of the agent’s model."
        autosize
        minRows={2}
        maxRows={8}
        value={instructions}
        error={submission.problemOf('steps[0].instructions')}
        onChange={({ currentTarget }) => setInstructions(currentTarget.value)}
      />
    </Form>
  )
}

const textFields = ['context.content', 'steps[0].instructions']

function parameterPath(name: string): string {
  return `steps[0].parameters.${name}`
}
