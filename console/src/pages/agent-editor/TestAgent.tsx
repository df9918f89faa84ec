import { Button, Textarea } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { describeProblem, isAbout } from '../../parts/describe-problem.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Section } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { flowOfAgent, parametersOf, valuesOf } from '../agent/agent-parameters.ts'
import { ParameterField } from '../agent/ParameterField.tsx'
import type { WholeAgent } from '../agents/agent-queries.ts'
import { ResultTab } from '../execution/ValueTabs.tsx'
import { traceQuery } from '../executions/execution-queries.ts'
import { isUnderWay, stateWords } from '../executions/execution-words.ts'
import { sampleContext } from '../workflow/sample-context.ts'
import styles from './AgentEditor.module.css'
import type { AgentDraft } from './agent-draft.ts'

type SavedAgent = Pick<WholeAgent, 'id' | 'label' | 'revision' | 'current_revision'>

/** The typed input of a test. A new agent gets its own address when it is saved, and takes the input along. */
export interface TestInput {
  readonly text: string
  readonly parameters: Readonly<Record<string, string>>
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    readonly testInput?: TestInput
  }
}

interface TestAgentProps {
  readonly draft: AgentDraft
  /** Whether the draft differs from the saved agent: it is saved before it runs. */
  readonly isChanged: boolean
  readonly begin: TestInput | undefined
  /** The execution of the last test. */
  readonly execution: string | undefined
  /** Saves the draft and returns the agent; undefined when it could not be saved. */
  readonly save: () => Promise<SavedAgent | undefined>
  readonly onStarted: (execution: string, agent: SavedAgent, input: TestInput) => Promise<void>
}

/** Runs the agent on a text and shows its output, beside the form. */
export function TestAgent({ draft, isChanged, begin, execution, save, onStarted }: TestAgentProps) {
  const api = useApi()
  const [input, setInput] = useState<TestInput>(
    () => begin ?? { text: String(sampleContext([])['content']), parameters: {} },
  )
  const parameters = parametersOf({ agent_definition: draft })
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const agent = await save()
      if (agent === undefined) return
      const { execution_id: started } = await bodyOf(
        api.client.POST('/ai-workflows/api/flows/try', {
          body: {
            flow_definition: flowOfAgent(agent, {
              parameters: valuesOf(parameters, input.parameters),
              instructions: '',
            }),
            context: { content: input.text },
          },
        }),
      )
      await onStarted(started, agent, input)
    },
  })
  const problems = error instanceof ApiFailure ? error.problems : []
  const problemOf = (path: string) => {
    const problem = problems.find((it) => isAbout(it, path))
    return problem === undefined ? undefined : describeProblem(problem)
  }
  return (
    <Section title="Test run" note={isChanged ? 'saves the agent first' : undefined}>
      <div className={styles['inside']}>
        <Textarea
          label="Text"
          autosize
          minRows={4}
          maxRows={12}
          value={input.text}
          error={problemOf('context.content')}
          onChange={({ currentTarget: { value } }) => setInput((before) => ({ ...before, text: value }))}
        />
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={input.parameters[parameter.name] ?? ''}
            error={problemOf(`steps[0].parameters.${parameter.name}`)}
            onChange={(value) =>
              setInput((before) => ({
                ...before,
                parameters: { ...before.parameters, [parameter.name]: value },
              }))
            }
          />
        ))}
        {error === null || problems.length > 0 ? null : (
          <FailureNotice what="Nothing was started." error={error} onRetry={() => mutate()} />
        )}
        <Button
          size="compact-sm"
          className={styles['add'] ?? ''}
          aria-disabled={isPending}
          onClick={() => {
            if (!isPending) mutate()
          }}
        >
          {isChanged ? 'Save and run' : 'Run test'}
        </Button>
        {execution === undefined ? null : <TestResult key={execution} execution={execution} />}
      </div>
    </Section>
  )
}

const pollMs = 700

function TestResult({ execution }: { execution: string }) {
  const {
    data: trace,
    error,
    refetch,
  } = useQuery({
    ...traceQuery(useApi(), { execution }),
    refetchInterval: ({ state }) =>
      state.data === undefined || isUnderWay(state.data.status) ? pollMs : false,
  })
  if (trace === undefined)
    return error === null ? (
      <Skeleton width={200} />
    ) : (
      <FailureNotice what="The test run could not be loaded." error={error} onRetry={() => void refetch()} />
    )
  const failure = trace.steps.find(({ state }) => state === 'failed')?.error
  return (
    <div role="region" aria-label="Test result" aria-busy={isUnderWay(trace.status)}>
      <div className={styles['head']}>
        <Status {...stateWords[trace.status]} />
        <Link to="/executions/$execution" params={{ execution }}>
          Open the run
        </Link>
      </div>
      {failure === undefined || failure === null ? null : (
        <p className={styles['problem']}>{failure.message}</p>
      )}
      {trace.status === 'completed' ? <ResultTab trace={trace} /> : null}
    </div>
  )
}
